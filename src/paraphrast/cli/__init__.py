"""The command line: one module per command or group of commands. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Sequence
from types import FrameType

#: Exit code after Ctrl-C, as shells have it.
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    0: success. 1: a single text has no paraphrase. 2: an error that the user can correct. 130: Ctrl-C.
    """
    for stream in (sys.stdout, sys.stderr):
        # What was typed comes back, whatever the terminal's encoding says it can show.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        code = run(arguments)
    except KeyboardInterrupt:  # before the command was found
        code = _say_interrupted()
    if code == INTERRUPTED or _is_reading():
        # Threads may be deep in a kernel, and an ordinary exit would wait for them; or one waits for standard
        # input, and Python aborts when it cannot close what that thread holds.
        import contextlib
        import os

        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _is_reading() -> bool:
    """Whether a thread that nobody waits for is still at work."""
    import threading

    return any(thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Ctrl-C: stop where we are. Objects it leaves half made may complain while they are cleared away
    (a compiler's handles do, with a traceback that tells a person nothing): they are let go in silence."""
    sys.unraisablehook = _while_stopping
    raise KeyboardInterrupt


def _while_stopping(unraisable: sys.UnraisableHookArgs) -> None:
    """An interrupt that fell into a finaliser, where Python drops exceptions, is given again, a moment later:
    given now, it would fall into this very hook."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        import threading

        # To the main thread, where there is a choice: it may be asleep, and only a signal of its own wakes it.
        if sys.platform == "win32":
            again = threading.Timer(0.02, signal.raise_signal, [signal.SIGINT])
        else:
            main_thread = threading.main_thread().ident
            again = threading.Timer(0.02, signal.pthread_kill, [main_thread, signal.SIGINT])
        again.daemon = True
        again.start()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    import typer

    from paraphrast.cli.app import app_for, with_command
    from paraphrast.errors import ParaphrastError

    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        given = with_command(given)
        result = app_for(given)(args=given, standalone_mode=False)
        sys.stdout.flush()
        if result == INTERRUPTED:
            raise KeyboardInterrupt
        return result if isinstance(result, int) else 0
    except typer.TyperException as error:
        show = getattr(error, "show", None)
        show() if show else print(f"paraphrast: {error.format_message()}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return _say_interrupted()
    except ParaphrastError as error:
        if _was_interrupted(error):
            return _say_interrupted()
        print(f"paraphrast: {error}", file=sys.stderr)
        return 2
    except (BrokenPipeError, SystemExit) as error:
        # The reader of our pipe has gone (head, less): that is no error, though the framework exits with 1 for it.
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        _let_go_of_output()
        return 0
    except (OSError, UnicodeError) as error:
        if _was_interrupted(error):
            return _say_interrupted()
        print(f"paraphrast: {_with_path(error)}", file=sys.stderr)
        _let_go_of_output()
        return 2
    except Exception as error:
        if _was_interrupted(error):
            return _say_interrupted()
        raise


def _with_path(error: OSError | UnicodeError) -> str:
    """The message of a system error, with the file; without one, it was most likely standard output."""
    if not isinstance(error, OSError) or error.filename is not None:
        return str(error)
    from paraphrast.errors import ParaphrastError
    from paraphrast.formats.files import STANDARD_OUTPUT, write_errors

    try:
        with write_errors(STANDARD_OUTPUT):
            raise error
    except ParaphrastError as told:
        return str(told)
    except OSError:
        return str(error)


def _was_interrupted(error: BaseException) -> bool:
    """Whether Ctrl-C is what an exception comes from: compiled code turns one it meets into an error of its own."""
    pending, seen = [error], set[int]()
    while pending:
        met = pending.pop()
        if isinstance(met, KeyboardInterrupt):
            return True
        if id(met) not in seen:
            seen.add(id(met))
            pending += [cause for cause in (met.__cause__, met.__context__) if cause is not None]
    return False


def _say_interrupted() -> int:
    resumes = any(argument in ("train", "demo") for argument in sys.argv[1:2])
    kept = "run the same command again to resume" if resumes else "no partial output was written"
    if "paraphrast.cli._support.resume" in sys.modules:
        from paraphrast.cli._support import resume

        kept = resume.interrupted_message or kept
    print(f"\nparaphrast: interrupted; {kept}", file=sys.stderr)
    return INTERRUPTED


def _let_go_of_output() -> None:
    """What could not be written is dropped, or Python would try, and complain, once more at exit."""
    import os

    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
