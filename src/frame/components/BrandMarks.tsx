/**
 * Marks of the card brands, drawn for this form: each suggests its brand in a few plain shapes, on a background of its
 * own, so that it looks the same on light and dark pages.
 */
import type { ComponentChildren } from 'preact';
import { BRANDS, type Brand } from '../../card/brands.ts';

/**
 * The marks of these brands (ids separated by spaces), or a blank card. Hidden from screen readers: the description of
 * the number names the brand.
 */
export const BrandMarks = ({ brands: ids }: { brands: string }) => {
  const brands = ids.split(' ').flatMap((id) => BRANDS.find((brand) => brand === id) ?? []);
  return (
    <span class="brands" aria-hidden="true">
      {brands.length > 0 ? (
        brands.map((brand) => <BrandMark key={brand} brand={brand} />)
      ) : (
        <svg class="brand" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true" data-brand="none">
          <rect class="card-blank" x=".75" y=".75" width="34.5" height="22.5" rx="3.5" />
          <path class="card-line" d="M1 6h34v4H1zM5 15h10v2.5H5z" />
        </svg>
      )}
    </span>
  );
};

const BrandMark = ({ brand }: { brand: Brand }) => (
  <svg class="brand" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true" data-brand={brand}>
    {MARKS[brand]()}
  </svg>
);

const background = (fill: string) => (
  <rect x=".5" y=".5" width="35" height="23" rx="3.5" fill={fill} stroke="#8883" />
);

/** Letters drawn as strokes: sharp at every size, and independent of the system's fonts. */
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
    <circle cx="14" cy="12" r="7" fill={left} />,
    <circle cx="22" cy="12" r="7" fill={right} />,
    <path d="M18 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z" fill={shared} />,
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
      <path d="M35.5 14C28 18.5 20 21.5 10 23.5H32a3.5 3.5 0 0 0 3.5-3.5z" fill="#f47216" />,
      <circle cx="29.5" cy="10.5" r="3.3" fill="#f47216" />,
      letters(
        'M4.3 7.3V13.7H5.3C8.7 13.7 8.7 7.3 5.3 7.3zM11 6.5V14.5M17.3 8C15.5 6.7 13.5 7.4 13.8 9C14.2 10.6 17.4 10.1 17.3 12.1C17.2 14 14.8 14.2 13.4 13M24.3 8.3A3.2 3.2 0 1 0 24.3 12.7',
        '#1b1b1b',
        1.6,
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
        ['#0b4ea2', 7],
        ['#c8102e', 14.5],
        ['#007940', 22],
      ].map(([fill, x]) => <path d={`M${x} 8a3 3 0 0 1 3-3h4v11a3 3 0 0 1-3 3h-4z`} fill={`${fill}`} />),
    ),
  unionpay: () =>
    markOn(
      '#fff',
      <path d="M10 5h7l-3 14H7z" fill="#e21836" />,
      <path d="M16 5h7l-3 14h-7z" fill="#00447c" />,
      <path d="M22 5h7l-3 14h-7z" fill="#007b84" />,
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
