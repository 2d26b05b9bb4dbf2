// Follows the page's theme, the explorer's width and what is seen of it; sends keys, boxes that are drawn, what buttons
// ask for and what forms are filled with; copies; downloads.
const KEYS = new Set([
  "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape", "[", "]", "?", "c", "r", "s", "t", "x",
]);
const SECONDS_BETWEEN_TICKS = 4;
const CLOSED_SHEET = 50; // pixels, at most
const TYPING = "input, textarea, select, [contenteditable=true]";
const FIELD = "input:not([type=checkbox], [type=search]), textarea, select";

// The id of an element, by which others of the page name it.
function idOf(element) {
  element.id ||= `iceberg-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  return element.id;
}

// Writes an attribute where that changes it: whatever is written makes the browser look at its styles again.
function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// Whether the list of a field is shown, in which Enter chooses.
function isOpen(field) {
  return CSS.supports("selector(:open)") && field.matches("select:open");
}

function pageIsDark() {
  const body = document.body;
  if (body.dataset.jpThemeLight !== undefined) return body.dataset.jpThemeLight === "false";
  const kind = body.dataset.vscodeThemeKind;
  if (kind !== undefined) return kind.includes("dark") || kind === "vscode-high-contrast";
  const channels = getComputedStyle(body).backgroundColor.match(/[\d.]+/g)?.map(Number);
  if (channels && (channels.length < 4 || channels[3] > 0)) {
    return 0.299 * channels[0] + 0.587 * channels[1] + 0.114 * channels[2] < 128;
  }
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No clipboard outside https and localhost: the older way still works there.
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

function render({ model, el }) {
  el.style.display = "none";
  let root = null;
  const stops = [];

  const follow = (target, type, listener, options) => {
    target.addEventListener(type, listener, options);
    stops.push(() => target.removeEventListener(type, listener, options));
  };

  const setTheme = () => {
    const dark = pageIsDark();
    root.dataset.theme = dark ? "dark" : "light";
    if (model.get("dark") !== dark) {
      model.set("dark", dark);
      model.save_changes();
    }
  };

  const setWidth = () => {
    const width = Math.floor(root.clientWidth / 20) * 20;
    root.classList.toggle("iceberg-narrow", width < model.get("wide"));
    if (width > 0 && width !== model.get("width")) {
      model.set("width", width);
      model.save_changes();
    }
  };

  const toNextTab = (event) => {
    const tab = event.target.closest("[role=tab]");
    const next = { ArrowLeft: tab.previousElementSibling, ArrowRight: tab.nextElementSibling }[event.key];
    event.preventDefault();
    event.stopPropagation();
    next?.click();
    next?.focus();
  };

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.target.closest(".iceberg-search")) {
      event.stopPropagation();
      model.send({ kind: "act", act: "find", value: event.target.value });
      return;
    }
    if (event.key !== "Escape" && event.target.closest(TYPING)) return;
    if (event.key === "/") {
      const field = root.querySelector(".iceberg-search input, .iceberg-picker input");
      if (!field) return; // nothing is searched here
      event.preventDefault();
      event.stopPropagation();
      field.select();
      return;
    }
    if (!KEYS.has(event.key)) return;
    if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
    if (event.key.startsWith("Arrow") && event.target.closest("[role=tab]")) {
      toNextTab(event);
      return;
    }
    if (event.key.startsWith("Arrow") && event.target.closest(".iceberg-drawer, [role=radiogroup]")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") root.focus({ preventScroll: true }); // out of the field that was typed in
    model.send({ kind: "key", key: event.key, shift: event.shiftKey });
  };

  // Before the field, which keeps every key to itself: Enter asks what is typed, once more it reads what is offered for
  // it, and in a form it presses the button. Of a statement Enter asks and begins a line with shift; of several the
  // other way around.
  const sent = new WeakMap(); // what is in each field as it was last told to Python
  const onSent = (event) => sent.set(event.target, event.target.value);
  const onEnter = (event) => {
    const field = event.target;
    if (event.key !== "Enter" || event.altKey || !field.matches(FIELD)) return;
    const form = field.closest(".iceberg-form"), isStatement = field.closest(".iceberg-sql") !== null;
    const runs = event.shiftKey || event.ctrlKey || event.metaKey;
    if (field.matches("textarea") && runs === isStatement) return;
    if (!form && (field.matches("select") || !field.closest(".iceberg-views"))) return;
    if (isOpen(field)) return;
    const isNew = sent.get(field) !== field.value;
    if (form || isStatement) {
      event.preventDefault();
      event.stopPropagation();
      field.blur(); // what is typed is sent when a field is left
      field.focus();
    }
    if (form) form.querySelector(".iceberg-on-enter")?.click();
    else if (!isNew) model.send({ kind: "act", act: "read" });
  };

  // Which part of the stage is seen: the panel stays in it, wherever the page is scrolled to; so does what is being read.
  const setSeen = () => {
    let top = 0, bottom = window.innerHeight;
    for (let around = root.parentElement; around && around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === "visible") continue;
      const clip = around.getBoundingClientRect();
      top = Math.max(top, clip.top);
      bottom = Math.min(bottom, clip.bottom);
    }
    const line = root.querySelector(".iceberg-line"), tabs = line?.previousElementSibling.getBoundingClientRect();
    if (tabs) line.style.setProperty("--scrolled", `${Math.max(Math.round(top - tabs.bottom), 0)}px`);
    for (const stage of root.querySelectorAll(".iceberg-stage")) {
      const place = stage.getBoundingClientRect();
      if (place.height === 0) continue; // behind another tab
      const above = Math.max(top - place.top, 0), below = Math.max(place.bottom - bottom, 0);
      for (const [name, value] of [["above", above], ["below", below], ["seen", place.height - above - below]]) {
        stage.style.setProperty(`--${name}`, `${Math.max(Math.round(value), 0)}px`);
      }
    }
  };
  let frame = 0;
  const soon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(setSeen);
  };

  // A box drawn over a picture or strip that takes one; a click stays what it is.
  const onPress = (press) => {
    const strip = press.target.closest(".iceberg-overview");
    const plot = strip ?? press.target.closest(".iceberg-brush .js-plotly-plot");
    if (!plot || press.button !== 0) return;
    let frame = null;
    const box = (event) => {
      const origin = plot.getBoundingClientRect();
      const left = origin.left - plot.scrollLeft, top = origin.top - plot.scrollTop;
      const xs = [press.clientX - left, event.clientX - left], ys = [press.clientY - top, event.clientY - top];
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    };
    const draw = (event) => {
      if (!frame && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < 6) return;
      frame ??= plot.appendChild(Object.assign(document.createElement("div"), { className: "iceberg-box" }));
      const [left, top, right, bottom] = box(event);
      const place = { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` };
      Object.assign(frame.style, place);
    };
    const end = (event) => {
      for (const type of ["pointermove", "pointerup", "pointercancel"]) {
        window.removeEventListener(type, type === "pointermove" ? draw : end, true);
      }
      if (!frame) return;
      frame.remove();
      if (event.type !== "pointerup") return;
      model.send({ kind: strip ? "brush" : "box", box: box(event) });
      if (!strip) return;
      const swallow = (click) => click.stopPropagation(); // the end of a drag over one commit is no click on it
      window.addEventListener("click", swallow, true);
      setTimeout(() => window.removeEventListener("click", swallow, true), 50);
    };
    window.addEventListener("pointermove", draw, true);
    window.addEventListener("pointerup", end, true);
    window.addEventListener("pointercancel", end, true);
  };

  // A picture is a figure that is told in words beside it.
  const setFigures = () => {
    for (const plot of root.querySelectorAll(".iceberg-stage .js-plotly-plot:not([role])")) {
      const words = plot.closest(".iceberg-stage").parentElement.querySelector(":scope > .iceberg-in-words");
      plot.setAttribute("role", "figure");
      plot.setAttribute("aria-labelledby", idOf(words));
    }
  };

  // What scrolls is reached without a mouse.
  const setScrolled = () => {
    for (const rows of root.querySelectorAll(".iceberg-rows:not([tabindex])")) {
      Object.entries({ tabindex: 0, role: "region", "aria-label": "Rows" }).forEach((set) => rows.setAttribute(...set));
    }
  };

  // ipywidgets draws toggle buttons; they are the tabs.
  const setRoles = () => {
    setFigures();
    setScrolled();
    const tabs = root.querySelector(".iceberg-tabs .jupyter-button")?.parentElement;
    if (!tabs) return;
    setAttribute(tabs, "role", "tablist");
    setAttribute(tabs, "aria-label", "Pictures");
    const views = root.querySelector(".iceberg-views");
    setAttribute(views, "role", "tabpanel");
    for (const [i, tab] of [...tabs.children].entries()) {
      const badge = model.get("badges")[i] ?? "";
      if ((tab.dataset.badge ?? "") !== badge) {
        badge ? (tab.dataset.badge = badge) : delete tab.dataset.badge;
        tab.title = badge && (badge === "1" ? "1 finding" : `${badge} findings`);
      }
      const isFront = tab.classList.contains("mod-active");
      if (isFront) setAttribute(views, "aria-labelledby", idOf(tab));
      if (tab.getAttribute("aria-selected") === String(isFront)) continue;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", isFront);
      tab.setAttribute("aria-controls", idOf(views));
      tab.tabIndex = isFront ? 0 : -1; // ← and → go to the others
    }
  };

  // What is filled in goes with the press that asks of it: told apart, a kernel may hear of the press alone.
  const onSubmit = (event) => {
    const form = event.target.closest(".iceberg-on-enter")?.closest(".iceberg-form");
    const fields = [...(form?.querySelectorAll(".iceberg-filled > *") ?? [])];
    if (!fields.length) return; // the button tells of itself
    event.stopPropagation();
    const chosen = (field) => field.querySelector("button.mod-active")?.textContent.trim();
    const filled = fields.map((field) => field.querySelector("input, textarea")?.value ?? chosen(field) ?? "");
    model.send({ kind: "submit", filled });
  };

  const onClick = async (event) => {
    const button = event.target.closest("[data-act]");
    if (button?.dataset.act === "fold") {
      const isClosed = button.closest(".iceberg-panel").clientHeight <= CLOSED_SHEET;
      root.classList.toggle("iceberg-sheet-open", isClosed);
      root.classList.toggle("iceberg-sheet-closed", !isClosed);
    } else if (button) {
      const { act, shiftAct, value } = button.dataset;
      model.send({ kind: "act", act: (event.shiftKey && shiftAct) || act, value });
    }
    const source = event.target.closest("[data-copy]");
    if (!source) return;
    await copy(source.dataset.copy);
    const label = source.textContent;
    source.textContent = "copied";
    setTimeout(() => (source.textContent = label), 1200);
  };

  const attach = () => {
    root = el.closest(".iceberg-explorer");
    if (!root) return false;
    root.tabIndex = 0;
    root.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the keys as its own
    follow(root, "keydown", onKey);
    follow(root, "keydown", onEnter, true);
    for (const type of ["focusin", "change"]) follow(root, type, onSent, true);
    follow(root, "click", onSubmit, true);
    follow(root, "click", onClick);
    follow(root, "pointerdown", onPress);
    follow(root, "mousedown", (event) => {
      if (!event.target.closest("button, a, summary, " + TYPING)) root.focus({ preventScroll: true });
    });
    const themes = new MutationObserver(setTheme);
    for (const node of [document.documentElement, document.body]) themes.observe(node, { attributes: true });
    let pending = 0;
    const sizes = new ResizeObserver(() => {
      soon();
      clearTimeout(pending);
      pending = setTimeout(setWidth, 120);
    });
    sizes.observe(root);
    follow(document, "scroll", soon, { capture: true, passive: true }); // of whatever is scrolled around the explorer
    follow(window, "resize", soon);
    stops.push(() => themes.disconnect(), () => sizes.disconnect(), () => clearTimeout(pending));
    stops.push(() => cancelAnimationFrame(frame));
    const tabs = new MutationObserver(setRoles);
    tabs.observe(root, { attributes: true, attributeFilter: ["class"], childList: true, subtree: true });
    stops.push(() => tabs.disconnect());
    setTheme();
    setWidth();
    setSeen();
    setRoles();
    return true;
  };

  // A page that nobody looks at asks nothing: no kernel is kept awake by a forgotten tab.
  const tick = () => {
    const hidden = document.visibilityState !== "visible" || !root?.getClientRects().length;
    const paused = model.get("watching") && hidden;
    if (model.get("paused") !== paused) {
      model.set("paused", paused);
      model.save_changes();
    }
    if (model.get("watching") && !paused) model.send({ kind: "tick" });
  };
  const ticking = setInterval(tick, SECONDS_BETWEEN_TICKS * 1000);
  stops.push(() => clearInterval(ticking));
  follow(document, "visibilitychange", tick);

  // The element is put into the page after render returns.
  const waiting = setInterval(() => attach() && clearInterval(waiting), 30);
  stops.push(() => clearInterval(waiting));

  const onBadges = () => root && setRoles();
  model.on("change:badges", onBadges);
  stops.push(() => model.off("change:badges", onBadges));

  const onMessage = (message, buffers) => {
    if (message.kind !== "download") return;
    const url = URL.createObjectURL(new Blob([buffers[0]], { type: message.type }));
    const link = Object.assign(document.createElement("a"), { href: url, download: message.filename });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  model.on("msg:custom", onMessage);
  stops.push(() => model.off("msg:custom", onMessage));

  return () => stops.forEach((stop) => stop());
}

export default { render };
