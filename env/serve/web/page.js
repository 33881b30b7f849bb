// The page of a server: shows an episode and hands in acts. It knows no family; what is shown,
// which acts a button holds and which forms there are, the server says with each answer.
"use strict";

const KEY = "casegen-episode"; // by tab, so that two pages never share an episode
let episode = null;
const byId = (id) => document.getElementById(id);
const acts = byId("acts");
let choices = [];
let busy = false;
let opened = ""; // the form that stays open from act to act

// The last view of an episode that is over, which the server holds no more.
const LAST = "casegen-last-view";
// A page in a frame may not be allowed to store; it then forgets its episode when loaded anew.
function remember(id) {
  episode = id;
  try {
    if (id) sessionStorage.setItem(KEY, id);
    else sessionStorage.removeItem(KEY);
    sessionStorage.removeItem(LAST);
  } catch {}
}

function keepLast(told) {
  try {
    sessionStorage.setItem(LAST, JSON.stringify(told));
  } catch {}
}

function lastView(id) {
  try {
    const told = JSON.parse(sessionStorage.getItem(LAST));
    return told && told.episode_id === id ? told : null;
  } catch {
    return null;
  }
}

function remembered() {
  try {
    return episode || sessionStorage.getItem(KEY);
  } catch {
    return episode;
  }
}

async function ask(path, body) {
  const options = { credentials: "omit", headers: { Accept: "application/json" } };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server can't be reached.");
  }
  const told = await response.json().catch(() => ({ detail: `status ${response.status}` }));
  if (!response.ok) {
    throw new Error(told.detail);
  }
  return told;
}

async function during(work) {
  if (busy) return;
  busy = true;
  complain("");
  document.body.classList.add("busy");
  try {
    await work();
  } catch (error) {
    complain(error.message);
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

function complain(text) {
  const place = byId("complaint");
  place.textContent = text;
  place.hidden = !text;
}

function start() {
  const settings = { ...choices[byId("task").selectedIndex].reset };
  const seed = byId("seed").value;
  if (seed !== "" && !("task_id" in settings)) settings.seed = Number(seed);
  during(async () => {
    const old = remembered();
    if (old) {
      remember(null);
      await ask("../close", { episode_id: old }).catch(() => {}); // it may be over
    }
    const told = await ask("../reset?view=web", settings);
    remember(told.episode_id);
    opened = "";
    show(told, "Started.");
  });
}

function act(action) {
  during(async () => {
    const told = await ask("../step?view=web", { episode_id: remembered(), action });
    const seen = told.observation;
    if (told.done) keepLast(told);
    show(told, seen.last_action_error || seen.tool_result || "Done.");
  });
}

function show(told, status) {
  const note = document.querySelector("[data-note]");
  const scrolled = note ? note.scrollTop : 0;
  const fresh = !note || told.observation.step_count === 0;
  document.body.append(acts); // out of the way of what is replaced
  byId("case").innerHTML = told.html; // the server escapes all text in it
  const slot = document.querySelector("[data-acts]");
  if (slot) slot.replaceWith(acts);
  acts.hidden = told.done;
  const again = document.querySelector("[data-note]");
  if (again && !fresh) again.scrollTop = scrolled;
  drawButtons(told.actions);
  drawForms(told.forms);
  byId("status").textContent = status;
  const heading = byId(told.done ? "h-score" : "h-result");
  if (heading && !fresh) heading.focus();
}

function drawButtons(actions) {
  byId("buttons").replaceChildren(
    ...actions.map(([label, action]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.className = label.startsWith("Submit") ? "last" : "";
      button.addEventListener("click", () => act(action));
      return button;
    }),
  );
}

function drawForms(forms) {
  byId("forms").replaceChildren(...forms.map(drawForm));
}

function drawForm(spec) {
  const box = document.createElement("details");
  box.open = spec.title === opened;
  box.addEventListener("toggle", () => {
    if (box.open) opened = spec.title;
    else if (opened === spec.title) opened = "";
  });
  const title = document.createElement("summary");
  title.textContent = spec.title;
  const form = document.createElement("form");
  form.dataset.act = spec.action.action_type || "";
  form.append(...spec.fields.map((field) => drawField(spec, field)));
  const button = document.createElement("button");
  button.type = "submit";
  button.textContent = spec.submit;
  form.append(button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const action = { ...spec.action };
    for (const field of spec.fields) {
      const value = valueOf(form, field);
      if (value !== "") action[field.name] = value;
    }
    act(action);
  });
  box.append(title, form);
  return box;
}

// What a field says: a truth, a list, or a text, which may be empty.
function valueOf(form, field) {
  if (field.kind === "flag") return form.elements[field.name].checked;
  if (field.kind === "lines") {
    const lines = form.elements[field.name].value.split("\n");
    return lines.map((line) => line.trim()).filter(Boolean);
  }
  if (field.kind !== "several") return form.elements[field.name].value;
  const boxes = form.querySelectorAll(`[name="${field.name}"]:checked`);
  return Array.from(boxes, (box) => box.value);
}

function drawBox(name, value, shown, checked) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.name = name;
  box.value = value;
  box.checked = checked;
  label.className = "box";
  label.append(box, shown);
  return label;
}

function drawSeveral(field) {
  const group = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = field.label;
  const chosen = new Set(field.value);
  const boxes = field.options.map(([value, shown]) =>
    drawBox(field.name, value, shown, chosen.has(value)),
  );
  group.append(legend, ...boxes);
  return group;
}

function drawField(spec, field) {
  if (field.kind === "flag") return drawBox(field.name, "yes", field.label, Boolean(field.value));
  if (field.kind === "several") return drawSeveral(field);
  const label = document.createElement("label");
  const text = document.createElement("span");
  text.textContent = field.label;
  const tag = { select: "select", text: "input" }[field.kind] || "textarea";
  const input = document.createElement(tag);
  input.name = field.name;
  input.required = field.required;
  if (field.kind === "select") {
    const none = new Option("Choose\u2026", "");
    input.append(none, ...field.options.map(([value, shown]) => new Option(shown, value)));
  }
  if (field.value) input.value = field.value;
  if (tag === "textarea") input.rows = 2;
  if (field.kind === "selection") input.dataset.selection = "";
  label.append(text, input);
  return label;
}

// Words that are selected in the note come into the form that wants them.
document.addEventListener("selectionchange", () => {
  const selection = document.getSelection();
  const note = document.querySelector("[data-note]");
  if (!note || !selection.rangeCount || selection.isCollapsed) return;
  if (!note.contains(selection.anchorNode) || !note.contains(selection.focusNode)) return;
  const words = selection.toString().trim();
  for (const input of document.querySelectorAll("[data-selection]")) {
    input.value = words;
    const box = input.closest("details");
    if (words && box) box.open = true;
  }
});

byId("choose").addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});

during(async () => {
  const setup = await ask("setup");
  choices = setup.choices;
  document.title = setup.title;
  byId("title").textContent = setup.title;
  byId("about").textContent = setup.description;
  byId("task").replaceChildren(...choices.map((choice) => new Option(choice.label)));
  const seeded = () => {
    const named = "task_id" in choices[byId("task").selectedIndex].reset;
    byId("seed").disabled = named;
  };
  byId("task").addEventListener("change", seeded);
  seeded();
  const id = remembered();
  if (id) {
    const view = () => ask(`view?episode_id=${encodeURIComponent(id)}`);
    const told = lastView(id) || (await view().catch(() => null));
    if (told) show(told, "Continued.");
    else remember(null);
  }
});
