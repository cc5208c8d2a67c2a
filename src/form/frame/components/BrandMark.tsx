/**
 * The card brands' marks, drawn for this form in a few plain shapes, as the brands show them. Each has its own
 * background, so that it looks the same on light and dark pages.
 */
import type { ComponentChildren } from 'preact';
import type { Brand } from '../../card/brands.ts';

/** A brand's mark. */
export const BrandMark = ({ brand }: { brand: Brand }) => (
  <svg class="brand" viewBox="-1 0 38 24" width="38" height="24" aria-hidden="true" data-brand={brand}>
    {MARKS[brand]()}
  </svg>
);

const background = (fill: string) => (
  <rect x="-.5" y=".5" width="37" height="23" rx="3.5" fill={fill} stroke="#8883" />
);

/** Letters drawn as strokes: sharp at every size, and independent of system fonts. */
const letters = (d: string, stroke: string, width = 2) => (
  <path d={d} fill="none" stroke={stroke} stroke-width={width} stroke-linejoin="round" />
);

const markOn = (fill: string, ...children: readonly ComponentChildren[]) => (
  <>
    {background(fill)}
    {children}
  </>
);

const twoCircles = (left: string, right: string, shared: string) =>
  markOn(
    '#fff',
    <circle cx="13.5" cy="12" r="7.5" fill={left} />,
    <circle cx="22.5" cy="12" r="7.5" fill={right} />,
    <path d="M18 6a7.5 7.5 0 0 1 0 12a7.5 7.5 0 0 1 0-12z" fill={shared} />,
  );

const MARKS: Readonly<Record<Brand, () => ComponentChildren>> = {
  visa: () =>
    markOn(
      '#1434cb',
      letters(
        'M5.5 8l2.2 8L12 8M14.7 8l-1.9 8M22.3 9.3C20.6 8 17.7 8.3 17.8 10.2C17.9 12.2 21.6 11.7 21.3 14.1C21 16.3 17.6 16.3 16 14.6M22.8 16.3L28.3 8L29.8 16.3M24.8 13.6H29.2',
        '#fff',
        2.1,
      ),
    ),
  mastercard: () => twoCircles('#eb001b', '#f79e1b', '#ff5f00'),
  maestro: () => twoCircles('#0099df', '#eb001b', '#6c6bbd'),
  amex: () =>
    markOn(
      '#016fd0',
      letters(
        'M4.3 16.5L7.1 8.2L9.9 16.5M5.3 13.8H8.9M12 16.5V8.5L15 13L18 8.5V16.5M25 8.2H21V15.8H25M21 12H24.5M26.8 8.2L32 15.8M32 8.2L26.8 15.8',
        '#fff',
        1.7,
      ),
    ),
  discover: () =>
    markOn(
      '#fff',
      <path d="M36.5 13C30 18 20 21.5 8 23.5H33a3.5 3.5 0 0 0 3.5-3.5z" fill="#f47216" />,
      <circle cx="19" cy="10.5" r="2.9" fill="#f47216" />,
      letters(
        'M1.2 7.8V13.2H2C5.2 13.2 5.2 7.8 2 7.8zM6.3 7.2V13.8M10.1 8.3C9 7.4 7.6 7.9 7.7 9.1C7.8 10.6 10.3 10.2 10.2 11.9C10.1 13.4 8.4 13.5 7.3 12.4M15 8.6A2.5 2.5 0 1 0 15 12.4M22.5 7.2L24.4 13L26.3 7.2M30.2 7.8H28V13.2H30.2M28 10.4H29.9M32 13.8V7.8H33A1.5 1.5 0 0 1 33 10.9H32M33 10.9L34.6 13.8',
        '#1b1b1b',
        1.25,
      ),
    ),
  diners: () =>
    markOn(
      '#fff',
      <circle cx="18" cy="12" r="8" fill="#0079be" />,
      <path d="M15.5 6.6v10.8a5.7 5.7 0 0 1 0-10.8zM20.5 6.6v10.8a5.7 5.7 0 0 0 0-10.8z" fill="#fff" />,
    ),
  jcb: () =>
    markOn(
      '#fff',
      ...[
        ['#0b4ea2', 6],
        ['#c8102e', 14.2],
        ['#007940', 22.4],
      ].map(([fill, x]) => (
        <path d={`M${x} 6.5a3 3 0 0 1 3-3h4.6v14a3 3 0 0 1-3 3H${x}z`} fill={`${fill}`} />
      )),
      letters(
        'M11.4 8.7V13.2C11.4 15.3 8 15.6 7 14.2M20.4 9.8C17.7 8 15.6 9.7 15.6 12C15.6 14.3 17.7 16 20.4 14.2M24.2 9.4V14.6H26.6A1.35 1.35 0 0 0 26.6 11.9H24.2M26.4 11.9A1.25 1.25 0 0 0 26.4 9.4H24.2',
        '#fff',
        1.4,
      ),
    ),
  unionpay: () =>
    markOn(
      '#fff',
      ...[
        ['#e21836', 5.5],
        ['#00447c', 14],
        ['#007b84', 22.5],
      ].map(([colour, x]) => (
        <path
          d={`M${x} 4h8.5l-3.5 16h-8.5z`}
          fill={`${colour}`}
          stroke={`${colour}`}
          stroke-width="2"
          stroke-linejoin="round"
        />
      )),
      <g transform="translate(-1.5) skewX(-12)">
        {letters(
          'M7.6 9.4V12.4A1.2 1.2 0 0 0 10 12.4V9.4M11.9 13.8V11.9A.85.85 0 0 1 13.6 11.9V13.8M15.3 10.9V13.8M15.3 9.2V10M18 11.2A1.2 1.2 0 1 0 18.01 11.2M20.6 13.8V11.9A.85.85 0 0 1 22.3 11.9V13.8M24.2 13.8V9.6H25.4A1.1 1.1 0 0 1 25.4 12H24.2M29.2 10.9V13.8M29.2 12.4A1 1 0 1 0 29.2 12.41M30.6 10.9L31.7 13.5M32.9 10.9L31.2 15.2',
          '#fff',
          0.85,
        )}
      </g>,
    ),
  elo: () =>
    markOn(
      '#111',
      letters('M7.3 12.7H13.6A3.3 3.3 0 1 0 12.7 14.7M18 7V14.5A1.5 1.5 0 0 0 20 16', '#fff'),
      letters('M22.3 14.2A3.5 3.5 0 0 1 23 9.9', '#00a4e0'),
      letters('M23 9.9A3.5 3.5 0 0 1 28.8 11.6', '#ffcb05'),
      letters('M28.8 11.6A3.5 3.5 0 0 1 22.3 14.2', '#ef4123'),
    ),
  mir: () =>
    markOn(
      '#fff',
      letters('M5 16.5V8L9 13L13 8V16.5M16.5 7.5V16.5M20 16.5V8H28', '#0f9b4c', 2.2),
      <path d="M22 11.5H31A3.7 3.7 0 0 1 27.5 14.5H22z" fill="#1a9fde" />,
    ),
  troy: () =>
    markOn(
      '#fff',
      letters('M7.5 7V14.5A1.5 1.5 0 0 0 9 16H10M5.5 10H10M13 16.5V12A2 2 0 0 1 16 10', '#2b3990', 1.9),
      <circle cx="20.3" cy="12.8" r="3" fill="none" stroke="#00aeb5" stroke-width="2" />,
      letters('M25 9.5L27.8 15.5M31 9.5L26.8 18.5', '#2b3990', 1.9),
    ),
  verve: () =>
    markOn(
      '#00425f',
      <circle cx="12" cy="12" r="7" fill="#ee312a" />,
      letters('M8.5 8.5L12 15.5L15.5 8.5', '#fff', 2.2),
      letters('M22 9.5H30M22 12.5H28M22 15.5H30', '#fff', 1.6),
    ),
  naranja: () => markOn('#ff5a00', letters('M13 17V7.5L23 16.5V7', '#fff', 2.6)),
  hiper: () => markOn('#f37421', letters('M11 7V17M11 12H17M17 7V17M22 11.5V17M22 7V9', '#fff', 2.4)),
  hipercard: () =>
    markOn('#b3131b', letters('M7 7V17M7 12H13M13 7V17M29 8.7A5 5 0 1 0 29 15.3', '#fff', 2.4)),
};
