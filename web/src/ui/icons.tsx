import type { ReactNode } from 'react';

const paths = {
  search: (
    <>
      <circle cx="11" cy="11" r="7" />
      <path d="m20 20-4-4" />
    </>
  ),
  close: <path d="M6 6l12 12M18 6 6 18" />,
  check: <path d="m4 12.5 5.2 5.2L20 6.8" />,
  arrow: <path d="M5 12h14m-6-6 6 6-6 6" />,
  back: <path d="M19 12H5m6-6-6 6 6 6" />,
  up: <path d="M12 19V5m-6 6 6-6 6 6" />,
  down: <path d="M12 5v14m-6-6 6 6 6-6" />,
  level: <path d="M5 9h14M5 15h14" />,
  minus: <path d="M5 12h14" />,
  plus: <path d="M5 12h14M12 5v14" />,
  pin: (
    <>
      <path d="M12 21s7-6.1 7-11.2A7 7 0 0 0 5 9.8C5 14.9 12 21 12 21Z" />
      <circle cx="12" cy="10" r="2.4" />
    </>
  ),
  calendar: (
    <>
      <rect x="4" y="5.5" width="16" height="15" rx="3" />
      <path d="M4 10.5h16M8.5 3v4m7-4v4" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5V12l3 2" />
    </>
  ),
  ticket: <path d="M4 7h16v3.2a1.9 1.9 0 0 0 0 3.6V17H4v-3.2a1.9 1.9 0 0 0 0-3.6V7Zm10 0v10" />,
  download: <path d="M12 4v11m-5-4.5 5 5 5-5M5 20h14" />,
  lock: (
    <>
      <rect x="5" y="11" width="14" height="9.5" rx="2.5" />
      <path d="M8.5 11V8a3.5 3.5 0 0 1 7 0v3" />
    </>
  ),
  alert: <path d="M12 4 2.8 20h18.4L12 4Zm0 6v5m0 2.6v.1" />,
  menu: <path d="M4 8h16M4 16h16" />,
  camera: (
    <>
      <path d="M4 8.5h3.2L9 6h6l1.8 2.5H20V19H4V8.5Z" />
      <circle cx="12" cy="13.4" r="3.4" />
    </>
  ),
  torch: <path d="M8 4h8v3l-2 4v9h-4v-9L8 7V4Zm0 3h8m-4 6v2" />,
  image: (
    <>
      <rect x="4" y="5" width="16" height="14" rx="2.5" />
      <path d="m4.5 17 5-5 4 4 2.5-2.5 3.6 3.6M15.5 9.2v.1" />
    </>
  ),
  bullets: <path d="M9 6h11M9 12h11M9 18h11M4.5 6v.1m0 5.9v.1m0 5.9v.1" />,
  numbers: (
    <path d="M10 6h10M10 12h10M10 18h10M3.5 5 5 4v5M3.5 14.2c.3-.9 2.4-1 2.4.3 0 1-2.4 2-2.4 3.5h2.6" />
  ),
  indent: <path d="M4 5h16M11 12h9M4 19h16M4 9.5 6.5 12 4 14.5" />,
  outdent: <path d="M4 5h16M11 12h9M4 19h16M6.5 9.5 4 12l2.5 2.5" />,
  alignLeft: <path d="M4 6h16M4 12h9M4 18h13" />,
  alignCentre: <path d="M4 6h16M7.5 12h9M5.5 18h13" />,
  alignRight: <path d="M4 6h16M11 12h9M7 18h13" />,
  justify: <path d="M4 6h16M4 12h16M4 18h16" />,
  link: (
    <path d="M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1" />
  ),
  clear: <path d="M6 6V4h13v2M12.5 4 10 15M4 20 20 9.5M7.5 20h6" />,
  mail: <path d="M4 6h16v12H4V6Zm.5.8L12 13l7.5-6.2" />,
  sort: (
    <>
      <path className="sort-up" d="m7 10 5-5 5 5" />
      <path className="sort-down" d="m7 14 5 5 5-5" />
    </>
  ),
  refresh: <path d="M19.5 11A7.6 7.6 0 1 0 18 16.6M19.5 5v6h-6" />,
} as const;
export type IconName = keyof typeof paths;

export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }): ReactNode => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
    style={{ flex: 'none' }}
  >
    {paths[name]}
  </svg>
);
