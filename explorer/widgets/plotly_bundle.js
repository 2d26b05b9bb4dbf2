// Puts plotly's code, 5 MB that a kernel sends once, where every figure of the page finds it.
const PLOTLY = "iceberg-explorer-plotly"; // promises of the module by its version, and the event that one is there

async function load(code) {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  try {
    return await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function initialize({ model }) {
  const modules = (globalThis[PLOTLY] ??= {});
  modules[model.get("version")] ??= load(model.get("code")); // another kernel may have sent the same
  document.dispatchEvent(new Event(PLOTLY));
}

export default { initialize };
