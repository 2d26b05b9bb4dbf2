// The field in which a person searches for a table, and two lists that Python writes; sends keys, words and clicks.
const KEYS = new Set(["ArrowDown", "ArrowUp", "Enter", "Escape"]);
const SIDEWAYS = new Set(["ArrowLeft", "ArrowRight"]); // of the field's own, once there is text in it

function render({ model, el }) {
  el.classList.add("iceberg-picker");
  el.innerHTML = `
    <input type="text" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-label="Search tables"
      placeholder="Search, or type a full name or the path of a metadata.json" spellcheck="false" autocomplete="off">
    <div class="iceberg-lists"><nav aria-label="Catalogs"></nav><div class="iceberg-tables" tabindex="0" role="group" aria-label="Tables"></div></div>`;
  const field = el.querySelector("input");
  const [places, tables] = ["nav", ".iceberg-tables"].map((selector) => el.querySelector(selector));

  const number = crypto.getRandomValues(new Uint32Array(2)).join("-");

  // The field says which list it searches, and which of its lines Enter opens.
  const setRoles = () => {
    const list = tables.querySelector("[role=listbox]");
    const at = list?.querySelector("[aria-selected=true]");
    const named = { "aria-controls": [list, "tables"], "aria-activedescendant": [at, "at"] };
    for (const [attribute, [element, name]] of Object.entries(named)) {
      if (element) {
        element.id = `iceberg-${name}-${number}`;
        field.setAttribute(attribute, element.id);
      } else {
        field.removeAttribute(attribute);
      }
    }
    field.setAttribute("aria-expanded", Boolean(list));
  };
  const send = (message) => model.send({ search: field.value, ...message });
  const show = () => {
    places.innerHTML = model.get("places");
    tables.innerHTML = model.get("tables");
    setRoles();
    for (const at of el.querySelectorAll(".iceberg-at")) at.scrollIntoView({ block: "nearest" });
  };

  field.addEventListener("input", () => send({ kind: "search" }));
  const onKey = (event) => {
    if (!KEYS.has(event.key) && !(SIDEWAYS.has(event.key) && !field.value)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") field.value = "";
    send({ kind: "key", key: event.key });
  };
  field.addEventListener("keydown", onKey);
  tables.addEventListener("keydown", onKey);
  el.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-open], [data-place]");
    if (!chosen) return;
    const { open, place } = chosen.dataset;
    if (place !== undefined) field.value = "";
    send(open !== undefined ? { kind: "open", name: open } : { kind: "place", name: place });
    field.focus({ preventScroll: true });
  });
  model.on("change:places change:tables", show);
  show();
  setTimeout(() => field.focus({ preventScroll: true }), 50); // once it is in the page
  return () => model.off("change:places change:tables", show);
}

export default { render };
