"""The HTTP service and its pages (extra ``web``): ``paraphrast serve``.

:func:`paraphrast.web.app.create_app` builds the application. The process that answers requests never rewrites a text
itself: it hands the work to worker processes (:mod:`paraphrast.web.pool`), which share the memory-mapped model.
"""
