// Keeps progress and agreement current while the page is visible. The page works without this file.
(function () {
  "use strict";
  async function refresh() {
    if (document.hidden) return;
    try {
      const answer = await fetch(window.location.pathname.replace(/(\/own\/\d+).*/, "$1"), { credentials: "same-origin" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("live");
      const live = document.getElementById("live");
      if (fresh && !live.contains(document.activeElement)) live.replaceChildren(...fresh.childNodes);
    } catch (error) {
      // The service is away; the next time may work.
    }
  }
  window.setInterval(refresh, 10000);
})();
