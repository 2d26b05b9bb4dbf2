// Follows the page's theme and the explorer's width; sends keys and boxes that are drawn; copies; downloads.
const KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape", "[", "]", "c", "s", "t", "x"]);
const TYPING = "input, textarea, select, [contenteditable=true]";

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

  const onKey = (event) => {
    if (!KEYS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Escape" && event.target.closest(TYPING)) return;
    if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
    if (event.key.startsWith("Arrow") && event.target.closest(".iceberg-drawer, [role=radiogroup]")) return;
    event.preventDefault();
    event.stopPropagation();
    model.send({ kind: "key", key: event.key, shift: event.shiftKey });
  };

  // A box drawn over a picture that takes one; a click stays the picture's own.
  const onPress = (press) => {
    const stage = press.target.closest(".iceberg-brush");
    const plot = stage?.querySelector(".main-svg");
    if (!plot || press.button !== 0) return;
    const at = (event, element) => {
      const edge = element.getBoundingClientRect();
      return [press.clientX, event.clientX, press.clientY, event.clientY].map((n, i) => n - (i < 2 ? edge.left : edge.top));
    };
    let frame = null;
    const draw = (event) => {
      if (!frame && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < 6) return;
      frame ??= stage.appendChild(Object.assign(document.createElement("div"), { className: "iceberg-box" }));
      const [x0, x1, y0, y1] = at(event, stage);
      Object.assign(frame.style, {
        left: `${Math.min(x0, x1)}px`, width: `${Math.abs(x1 - x0)}px`,
        top: `${Math.min(y0, y1)}px`, height: `${Math.abs(y1 - y0)}px`,
      });
    };
    const end = (event) => {
      for (const type of ["pointermove", "pointerup", "pointercancel"]) {
        window.removeEventListener(type, type === "pointermove" ? draw : end, true);
      }
      if (!frame) return;
      frame.remove();
      const [x0, x1, y0, y1] = at(event, plot);
      const box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
      if (event.type === "pointerup") model.send({ kind: "box", box });
    };
    window.addEventListener("pointermove", draw, true);
    window.addEventListener("pointerup", end, true);
    window.addEventListener("pointercancel", end, true);
  };

  const onClick = async (event) => {
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
    follow(root, "click", onClick);
    follow(root, "pointerdown", onPress);
    follow(root, "mousedown", (event) => {
      if (!event.target.closest("button, a, summary, " + TYPING)) root.focus({ preventScroll: true });
    });
    const themes = new MutationObserver(setTheme);
    for (const node of [document.documentElement, document.body]) themes.observe(node, { attributes: true });
    let pending = 0;
    const sizes = new ResizeObserver(() => {
      clearTimeout(pending);
      pending = setTimeout(setWidth, 120);
    });
    sizes.observe(root);
    stops.push(() => themes.disconnect(), () => sizes.disconnect(), () => clearTimeout(pending));
    setTheme();
    setWidth();
    return true;
  };

  // The element is put into the page after render returns.
  const waiting = setInterval(() => attach() && clearInterval(waiting), 30);
  stops.push(() => clearInterval(waiting));

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
