const paths = {
  start: 'M3 11l9-8 9 8M5 10v10h5v-6h4v6h5V10',
  items: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  train: 'M4 19V5M4 19h16M8 15l4-5 3 3 5-7',
  models: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  target: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4M4 12h4M12 12h8M10 10v4',
  operations: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  station: 'M4 8h4l2-3h4l2 3h4v11H4zM12 10a3.5 3.5 0 100 7 3.5 3.5 0 000-7z',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
  download: 'M12 4v12M7 11l5 5 5-5M4 20h16',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  close: 'M6 6l12 12M18 6L6 18',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  up: 'M5 15l7-7 7 7',
  down: 'M5 9l7 7 7-7',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  rectangle: 'M4 6h16v12H4zM4 6h.01M20 6h.01M4 18h.01M20 18h.01',
  'add-rectangle': 'M4 6h16v12H4zM12 9v6M9 12h6',
  sun: 'M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2',
  moon: 'M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z',
  help: 'M12 3a9 9 0 100 18 9 9 0 000-18zM9.5 9.5a2.5 2.5 0 113.5 2.3c-.8.4-1 .8-1 1.7M12 17h.01',
  leave: 'M14 4h5v16h-5M4 12h10M10 8l4 4-4 4',
  person: 'M12 4a4 4 0 100 8 4 4 0 000-8zM4 21c0-4 3.5-6 8-6s8 2 8 6',
  undo: 'M9 4L4 9l5 5M4 9h10a5.5 5.5 0 010 11H9',
  switch: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4',
  check: 'M5 12.5l4.5 4.5L19 7',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  folder: 'M3 6h6l2 2h10v11H3z',
  compare: 'M12 3v18M5 8h3M5 12h3M5 16h3M16 8h3M16 12h3M16 16h3',
} as const;

export type IconName = keyof typeof paths;

/** Line drawings of our own, 24 units square. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  );
}
