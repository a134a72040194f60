// Remembers the button that was pressed before the page's own script could hear of it, and presses it again when that says so.
(() => {
  let pressed;
  const hear = ({ target }) => {
    pressed = target.closest('button') ?? undefined;
  };
  addEventListener('click', hear, true);
  window.pressAgain = () => {
    removeEventListener('click', hear, true);
    if (pressed?.isConnected) pressed.click();
  };
})();
