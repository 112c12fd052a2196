/* The alternative text of a picture in an output: the words that came with it (d2l_utils/alternative.py). */
const TYPES = ['image/png', 'image/svg+xml', 'image/jpeg'];

export function activate({ registry }) {
  for (const type of TYPES) {
    const factory = registry.getFactory(type);
    if (factory) {
      registry.addFactory({ ...factory, createRenderer: options => named(factory.createRenderer(options)) });
    }
  }
}

function named(widget) {
  const render = widget.renderModel.bind(widget);
  widget.renderModel = async model => {
    await render(model);
    const words = String(model.data['text/plain'] ?? '');
    const picture = widget.node.querySelector('img, svg');
    if (picture && words && !picture.getAttribute('alt')) {
      picture.setAttribute(picture.tagName === 'IMG' ? 'alt' : 'aria-label', words);
      picture.setAttribute('role', 'img');
    }
  };
  return widget;
}
