/**
 * Pictures drawn for this form: marks of card brands, and where the security code stands. Each mark is a sign of its
 * brand in a few plain shapes, on a ground of its own, so that it looks alike on light and dark pages.
 */
import type { ComponentChildren } from 'preact';
import { BRANDS, type Brand } from '../../card/brands.ts';
import { useForm } from './context.ts';

/**
 * Small marks of card brands, given by their ids with spaces between; a card without a brand where there are none.
 * Their names are said elsewhere.
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

/** The mark of a brand, 36 by 24. */
const BrandMark = ({ brand }: { brand: Brand }) => (
  <svg class="brand" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true" data-brand={brand}>
    {DRAWN[brand]()}
  </svg>
);

const ground = (fill: string) => (
  <rect x=".5" y=".5" width="35" height="23" rx="3.5" fill={fill} stroke="#8883" />
);

/** Letters as strokes: sharp at every size and the same on every system, whatever fonts it has. */
const letters = (d: string, stroke: string, width = 2) => (
  <path d={d} fill="none" stroke={stroke} stroke-width={width} stroke-linejoin="round" />
);

const on = (fill: string, ...children: readonly ComponentChildren[]) => (
  <>
    {ground(fill)}
    {children}
  </>
);

const circles = (left: string, right: string, shared: string) =>
  on(
    '#fff',
    <circle cx="14" cy="12" r="7" fill={left} />,
    <circle cx="22" cy="12" r="7" fill={right} />,
    <path d="M18 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z" fill={shared} />,
  );

const DRAWN: Readonly<Record<Brand, () => ComponentChildren>> = {
  visa: () =>
    on(
      '#1434cb',
      letters(
        'M5.5 8l2.2 8L12 8M14.7 8l-1.9 8M22.3 9.3C20.6 8 17.7 8.3 17.8 10.2C17.9 12.2 21.6 11.7 21.3 14.1C21 16.3 17.6 16.3 16 14.6M22.8 16.3L28.3 8L29.8 16.3M24.8 13.6H29.2',
        '#fff',
        2.1,
      ),
    ),
  mastercard: () => circles('#eb001b', '#f79e1b', '#ff5f00'),
  maestro: () => circles('#0099df', '#eb001b', '#6c6bbd'),
  amex: () =>
    on(
      '#016fd0',
      letters(
        'M4.3 16.5L7.1 8.2L9.9 16.5M5.3 13.8H8.9M12 16.5V8.5L15 13L18 8.5V16.5M25 8.2H21V15.8H25M21 12H24.5M26.8 8.2L32 15.8M32 8.2L26.8 15.8',
        '#fff',
        1.7,
      ),
    ),
  discover: () =>
    on(
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
    on(
      '#fff',
      <circle cx="18" cy="12" r="8" fill="#0079be" />,
      <path d="M15.5 6.6v10.8a5.7 5.7 0 0 1 0-10.8zM20.5 6.6v10.8a5.7 5.7 0 0 0 0-10.8z" fill="#fff" />,
    ),
  jcb: () =>
    on(
      '#fff',
      ...[
        ['#0b4ea2', 7],
        ['#c8102e', 14.5],
        ['#007940', 22],
      ].map(([fill, x]) => <path d={`M${x} 8a3 3 0 0 1 3-3h4v11a3 3 0 0 1-3 3h-4z`} fill={`${fill}`} />),
    ),
  unionpay: () =>
    on(
      '#fff',
      <path d="M10 5h7l-3 14H7z" fill="#e21836" />,
      <path d="M16 5h7l-3 14h-7z" fill="#00447c" />,
      <path d="M22 5h7l-3 14h-7z" fill="#007b84" />,
    ),
  elo: () =>
    on(
      '#111',
      letters('M7.3 12.7H13.6A3.3 3.3 0 1 0 12.7 14.7M18 7V14.5A1.5 1.5 0 0 0 20 16', '#fff'),
      letters('M22.3 14.2A3.5 3.5 0 0 1 23 9.9', '#00a4e0'),
      letters('M23 9.9A3.5 3.5 0 0 1 28.8 11.6', '#ffcb05'),
      letters('M28.8 11.6A3.5 3.5 0 0 1 22.3 14.2', '#ef4123'),
    ),
  mir: () =>
    on(
      '#fff',
      letters('M5 16.5V8L9 13L13 8V16.5M16.5 7.5V16.5M20 16.5V8H28', '#0f9b4c', 2.2),
      <path d="M22 11.5H31A3.7 3.7 0 0 1 27.5 14.5H22z" fill="#1a9fde" />,
    ),
  troy: () =>
    on(
      '#fff',
      letters('M7.5 7V14.5A1.5 1.5 0 0 0 9 16H10M5.5 10H10M13 16.5V12A2 2 0 0 1 16 10', '#2b3990', 1.9),
      <circle cx="20.3" cy="12.8" r="3" fill="none" stroke="#00aeb5" stroke-width="2" />,
      letters('M25 9.5L27.8 15.5M31 9.5L26.8 18.5', '#2b3990', 1.9),
    ),
  verve: () =>
    on(
      '#00425f',
      <circle cx="12" cy="12" r="7" fill="#ee312a" />,
      letters('M8.5 8.5L12 15.5L15.5 8.5', '#fff', 2.2),
      letters('M22 9.5H30M22 12.5H28M22 15.5H30', '#fff', 1.6),
    ),
  naranja: () => on('#ff5a00', letters('M13 17V7.5L23 16.5V7', '#fff', 2.6)),
  hiper: () => on('#f37421', letters('M11 7V17M11 12H17M17 7V17M22 11.5V17M22 7V9', '#fff', 2.4)),
  hipercard: () => on('#b3131b', letters('M7 7V17M7 12H13M13 7V17M29 8.7A5 5 0 1 0 29 15.3', '#fff', 2.4)),
};

/** Where the security code stands on the card: opened by pointer, touch or key, and closed in the same way. */
export const CodeHelp = () => {
  const { form, words } = useForm();
  const brand = form.brand.value;
  const sides =
    brand === 'amex' ? (['front'] as const) : brand ? (['back'] as const) : (['back', 'front'] as const);
  return (
    <details class="code-help">
      <summary>
        <span class="unseen">{words.say('cvc.help')}</span>
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" />
          <path d="M7.7 7.8a2.3 2.3 0 1 1 3.4 2c-.8.4-1.1.9-1.1 1.6M10 14v.1" />
        </svg>
      </summary>
      {sides.map((side) => (
        <p key={side}>
          <CodePicture side={side} />
          <span>{words.say(`cvc.help.${side}`)}</span>
        </p>
      ))}
    </details>
  );
};

/** A card and where its security code is: in the signature's line at the back, or above the number at the front. */
const CodePicture = ({ side }: { side: 'front' | 'back' }) => (
  <svg class="code-picture" viewBox="0 0 96 60" width="96" height="60" aria-hidden="true">
    <rect class="card-blank" x="1" y="1" width="94" height="58" rx="6" />
    {side === 'back' ? (
      <>
        <path class="card-line" d="M2 10h92v11H2zM10 30h44v11H10z" />
        <CodeAt x={58} y={28} digits={3} />
      </>
    ) : (
      <>
        <path
          class="card-line"
          d="M10 11h14v10H10zM10 34h14v4H10zM30 34h22v4H30zM58 34h18v4H58zM10 46h30v3H10z"
        />
        <CodeAt x={60} y={12} digits={4} />
      </>
    )}
  </svg>
);

const CodeAt = ({ x, y, digits }: { x: number; y: number; digits: number }) => (
  <>
    <rect class="code-spot" x={x} y={y} width={digits * 6 + 6} height="15" rx="7.5" />
    {Array.from({ length: digits }, (_, index) => (
      <circle key={index} class="code-digit" cx={x + 6 + index * 6} cy={y + 7.5} r="1.75" />
    ))}
  </>
);
