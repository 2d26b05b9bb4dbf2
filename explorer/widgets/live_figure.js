// Draws a figure with plotly's code, once the widget that brings it for the whole page is there: see plotly_bundle.js.
const PLOTLY = "iceberg-explorer-plotly";
const CHANGES = [
  "addTraces", "deleteTraces", "moveTraces", "restyle", "relayout", "update", "animate", "removeLayoutProps", "removeTraceProps",
].map((change) => `_py2js_${change}`);
const UPDATE = "_py2js_update";
const PATIENCE = 15_000; // milliseconds

function plotlysCode(version) {
  const arrival = (resolve) => document.addEventListener(PLOTLY, () => resolve(plotlysCode(version)), { once: true });
  return globalThis[PLOTLY]?.[version] ?? new Promise(arrival);
}

// JupyterLab makes each widget as it arrives; Colab only what is shown or asked for, and the one with the code is not.
async function askForCode(model) {
  if (globalThis[PLOTLY]?.[model.get("_version")]) return;
  await model.widget_manager?.get_model(model.get("_bundle").replace("IPY_MODEL_", ""));
}

// Whether a change was of what marks say on hover alone; then it is made. Plotly would draw the whole figure again.
function onlyHoverChanged(plot, change) {
  const said = Object.entries(change?.style_data ?? {});
  if (Object.keys(change?.layout_data ?? {}).length || said.length !== 1 || said[0][0] !== "hovertext") return false;
  const [[, words]] = said;
  const changed = change.style_traces.map((trace, n) => [plot.data?.[trace], plot.calcdata?.[trace], words[n]]);
  if (!changed.every(([trace, points, own]) => trace && points && Array.isArray(own))) return false;
  for (const [trace, points, own] of changed) {
    trace.hovertext = own;
    for (const point of points) point.htx = own[point.i];
  }
  return true;
}

// The model, which keeps what Python changes until a view has drawn it: plotly itself forgets what no view has heard.
function remembering(model) {
  const listeners = [];
  let kept = [];
  let retold = {};
  let plot = null;
  for (const change of CHANGES) {
    model.on(`change:${change}`, () => kept && model.get(change) && kept.push([change, model.get(change)]));
  }
  return {
    get: (name) => retold[name] ?? model.get(name),
    set: (name, value) => model.set(name, value),
    save_changes: () => model.save_changes(),
    on(event, listener) {
      listeners.push([event, listener]);
      const drawsIt = plot !== null; // who listens from now on is the view
      const isTold = () => drawsIt && event === `change:${UPDATE}` && onlyHoverChanged(plot, model.get(UPDATE));
      model.on(event, (...change) => isTold() || listener(...change));
    },
    drawnIn(el) {
      plot = el;
    },
    tell() {
      for (const [change, value] of kept ?? []) {
        retold = { [change]: value };
        for (const [event, listener] of listeners) if (event === `change:${change}`) listener();
      }
      kept = null;
      retold = {};
    },
  };
}

export default () => {
  let model, plotly;

  async function start(version) {
    const { default: make } = await plotlysCode(version);
    const made = make();
    made.initialize({ model });
    return made;
  }

  return {
    initialize(given) {
      model = remembering(given.model);
      askForCode(given.model).catch(() => {}); // it may be on its way, and is waited for
      plotly = start(given.model.get("_version"));
      plotly.catch(() => {}); // it is told where the figure should be
    },
    async render({ el, signal }) {
      const say = (words) => (el.textContent = words);
      const late = "The code that draws pictures, 5 MB, has not arrived. If it does not come, run the cell again.";
      const waiting = setTimeout(say, PATIENCE, late);
      let made;
      try {
        made = await plotly;
      } catch (error) {
        say(`The code that draws pictures does not run in this browser: ${error.message}`);
        return;
      } finally {
        clearTimeout(waiting);
      }
      if (signal?.aborted) return;
      say("");
      model.drawnIn(el);
      const remove = made.render({ el });
      model.tell();
      return remove;
    },
  };
};
