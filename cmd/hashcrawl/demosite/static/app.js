// The application: shows the content of the state that follows "#!".
(function () {
  "use strict";
  var app = document.getElementById("app");
  var nav = '<header><a href="/">Skerry</a> · <a href="/#!/lights">Lights</a> · ' +
    '<a href="/log">Log</a> · <a href="/news/">Notices</a> · <a href="/about">About</a></header>';
  var foot = "<footer>Skerry, a register of lighthouses that never were.</footer>";

  function show(state) {
    document.title = state.title;
    document.documentElement.lang = state.lang;
    document.documentElement.dir = state.dir;
    app.innerHTML = nav + "<main>" + state.html + "</main>" + foot;
    window.scrollTo(0, 0);
  }

  function load() {
    var state = location.hash.indexOf("#!") === 0 ? location.hash.slice(2) : "";
    var query = "?page=" + encodeURIComponent(location.pathname + location.search) +
      "&state=" + encodeURIComponent(state);
    fetch("/api/state" + query).then(function (answer) {
      if (!answer.ok) {
        return { title: "Not found", lang: "en", dir: "ltr", html: "<h1>Not found</h1><p>There is no such state.</p>" };
      }
      return answer.json();
    }).then(show);
  }

  window.addEventListener("hashchange", load);
  load();
}());
