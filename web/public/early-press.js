// What is pressed, typed or chosen before the page's own script could hear of it is done again when that says so (pressed-early.tsx).
(() => {
  let pressed;
  const filled = new Map();
  const press = ({ target }) => {
    pressed = target.closest('button') ?? undefined;
  };
  const fill = ({ target }) => filled.set(target, target.value);
  addEventListener('click', press, true);
  addEventListener('input', fill, true);
  // Forms without an address would load the page anew; those with one lead where the script would.
  addEventListener('submit', (event) => {
    if (!event.target.getAttribute('action')) event.preventDefault();
  });
  window.early = {
    stop() {
      removeEventListener('click', press, true);
      removeEventListener('input', fill, true);
    },
    repeat() {
      for (const [field, value] of filled) {
        if (!field.isConnected) continue;
        // React compares with what was there when it came: another value first.
        field.value = '';
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value);
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      }
      if (pressed?.isConnected) pressed.click();
    },
  };
})();
