/* Saves of a notebook one after the other. JupyterLab lets the save at the interval run beside one that a person asks for, takes
 * what the first has written for somebody else's, and asks whether to load the file again: what was typed since would be lost. */

/* `save`, which never runs beside itself: all who ask while it runs share the run after it. */
export function inTurn(save) {
  let running = null, waiting = null;

  function begin() {
    waiting = null;
    running = save().finally(() => { running = null; });
    return running;
  }

  function after(error) {
    if (error.name !== 'ModalCancelError') {
      return begin();
    }
    waiting = null;       // the person was asked, and said: not now
    throw error;
  }

  return () => {
    if (!waiting && running) {
      waiting = running.then(begin, after);
    }
    return waiting ?? begin();
  };
}

export function activate({ tracker }) {
  const known = new WeakSet();        // two views of a notebook share its context

  function add({ context }) {
    if (!known.has(context)) {
      known.add(context);
      context.save = inTurn(context.save.bind(context));
    }
  }

  tracker.forEach(add);
  tracker.widgetAdded.connect((_, panel) => add(panel));
}
