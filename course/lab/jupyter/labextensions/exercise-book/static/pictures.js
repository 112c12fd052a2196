/* The alternative text of a picture in an output: the words that came with it (d2l_utils/alternative.py). And a drawing that
 * is wider than the page is made smaller, as far as its words can be read; from there on it scrolls. */
const TYPES = ['image/png', 'image/svg+xml', 'image/jpeg'];
const SMALLEST = 0.65;

export function activate({ registry }) {
  for (const type of TYPES) {
    const factory = registry.getFactory(type);
    if (factory) {
      registry.addFactory({ ...factory, createRenderer: options => named(factory.createRenderer(options)) });
    }
  }
}

function fit(picture) {
  const limit = width => Object.assign(picture.style, { maxWidth: '100%', height: 'auto', minWidth: `${SMALLEST * width}px` });
  if (picture instanceof SVGSVGElement) {
    limit(picture.width.baseVal.value);
  } else {
    picture.decode().then(() => limit(picture.naturalWidth), () => {});
  }
}

function named(widget) {
  const render = widget.renderModel.bind(widget);
  widget.renderModel = async model => {
    await render(model);
    // "<a graph of 9 arrows; what can be done with it>": what it shows is enough
    const words = String(model.data['text/plain'] ?? '').replace(/^<([^;>]*).*>$/s, '$1');
    const picture = widget.node.querySelector('img, svg');
    if (picture && widget.mimeType === 'image/svg+xml') {
      fit(picture);
    }
    if (picture && words && !picture.getAttribute('alt')) {
      picture.setAttribute(picture.tagName === 'IMG' ? 'alt' : 'aria-label', words);
      picture.setAttribute('role', 'img');
    }
  };
  return widget;
}
