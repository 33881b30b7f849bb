"use strict";
// Without this script the page shows all cases one below the other.
(() => {
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const dark = () =>
    root.dataset.theme
      ? root.dataset.theme === "dark"
      : window.matchMedia("(prefers-color-scheme: dark)").matches;
  const named = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    named();
  });
  named();

  const pick = document.getElementById("pick");
  if (!pick) return;
  const articles = [...document.querySelectorAll("article.case")];
  const select = document.getElementById("case");
  const level = document.getElementById("level");
  const label = document.getElementById("label");
  const place = document.getElementById("place");
  const before = document.getElementById("before");
  const after = document.getElementById("after");
  const options = [...select.options];

  const fits = (article) =>
    (!level.value || article.dataset.level === level.value) &&
    (!label.value || article.dataset.labels.split("|").includes(label.value));
  const chosen = () => articles.filter(fits);

  function show(id) {
    for (const article of articles) article.hidden = article.id !== id;
    const among = chosen().map((article) => article.id);
    const at = among.indexOf(id);
    before.disabled = at <= 0;
    after.disabled = at < 0 || at >= among.length - 1;
    place.textContent = among.length ? `${at + 1} of ${among.length}` : "no such case";
  }

  function narrow() {
    const among = new Set(chosen().map((article) => article.id));
    select.replaceChildren(...options.filter((option) => among.has(option.value)));
    select.selectedIndex = 0;
    show(select.value);
  }

  function move(by) {
    const next = select.selectedIndex + by;
    if (next < 0 || next >= select.options.length) return;
    select.selectedIndex = next;
    show(select.value);
  }

  pick.hidden = false;
  pick.addEventListener("submit", (event) => event.preventDefault());
  level.addEventListener("change", narrow);
  label.addEventListener("change", narrow);
  select.addEventListener("change", () => show(select.value));
  before.addEventListener("click", () => move(-1));
  after.addEventListener("click", () => move(1));
  narrow();
})();
