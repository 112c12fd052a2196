/* A formula that is wider than the page has a place in the order of Tab, and the arrows scroll it; the theme does so for what
 * code prints and for tables. */
addEventListener('DOMContentLoaded', () => {
  const sizes = new ResizeObserver(entries => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) {
        target.setAttribute('tabindex', '0');
      } else {
        target.removeAttribute('tabindex');
      }
    }
  });
  document.querySelectorAll('math[display="block"]').forEach(formula => sizes.observe(formula));
});
