/** Google's sign, in the page's own colour. */
export const GoogleMark = () => (
  <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" focusable="false" fill="currentColor">
    <path d="M9.2 7.5v3.1h4.4c-.4 2-2.1 3.2-4.4 3.2a4.8 4.8 0 1 1 0-9.6c1.2 0 2.3.4 3.1 1.2l2.3-2.3A8 8 0 1 0 9.2 17c4.6 0 7.8-3.2 7.8-7.8 0-.6 0-1.1-.2-1.7H9.2Z" />
  </svg>
);
