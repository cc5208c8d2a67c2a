import type { Brand } from '../card/brands.ts';

/** A small mark of the card's brand, drawn plainly; the number says the same to those who do not see it. */
export const BrandMark = ({ brand }: { brand: Brand | null }) => (
  <svg
    class="brand"
    viewBox="0 0 36 24"
    width="36"
    height="24"
    aria-hidden="true"
    data-brand={brand ?? 'none'}
  >
    {mark(brand)}
  </svg>
);

const mark = (brand: Brand | null) => {
  switch (brand) {
    case 'visa':
      return word('VISA', '#1434cb', '#fff', 'italic');
    case 'mastercard':
      return circles('#eb001b', '#f79e1b', '#ff5f00');
    case 'maestro':
      return circles('#0099df', '#eb001b', '#6c6bbd');
    case 'amex':
      return word('AMEX', '#016fd0', '#fff');
    case 'discover':
      return (
        <>
          {word('DISC', '#fff', '#1b1b1b')}
          <circle cx="28" cy="17.5" r="3" fill="#f47216" />
        </>
      );
    case 'diners':
      return (
        <>
          {ground('#fff')}
          <circle cx="18" cy="12" r="8" fill="#0079be" />
          <path d="M15.5 6.6v10.8a5.7 5.7 0 0 1 0-10.8zM20.5 6.6v10.8a5.7 5.7 0 0 0 0-10.8z" fill="#fff" />
        </>
      );
    case 'jcb':
      return (
        <>
          {ground('#fff')}
          <rect x="8" y="5" width="6" height="14" rx="2.5" fill="#0b4ea2" />
          <rect x="15" y="5" width="6" height="14" rx="2.5" fill="#c8102e" />
          <rect x="22" y="5" width="6" height="14" rx="2.5" fill="#007940" />
        </>
      );
    case 'unionpay':
      return (
        <>
          {ground('#fff')}
          <path d="M10 5h7l-3 14H7z" fill="#e21836" />
          <path d="M16 5h7l-3 14h-7z" fill="#00447c" />
          <path d="M22 5h7l-3 14h-7z" fill="#007b84" />
        </>
      );
    case null:
      return (
        <>
          <rect class="card-blank" x=".75" y=".75" width="34.5" height="22.5" rx="3.5" />
          <rect class="card-line" x="1" y="6" width="34" height="4" />
          <rect class="card-line" x="5" y="15" width="10" height="2.5" rx="1" />
        </>
      );
    default:
      return word(brand.slice(0, 5).toUpperCase(), '#3c4657', '#fff');
  }
};

const ground = (fill: string) => (
  <rect x=".5" y=".5" width="35" height="23" rx="3.5" fill={fill} stroke="#0000001f" />
);

const word = (text: string, fill: string, ink: string, style = 'normal') => (
  <>
    {ground(fill)}
    <text
      x="18"
      y="15.6"
      fill={ink}
      font-size={text.length > 4 ? 8 : 10}
      font-weight="800"
      font-style={style}
      font-family="Arial, Helvetica, sans-serif"
      text-anchor="middle"
    >
      {text}
    </text>
  </>
);

const circles = (left: string, right: string, shared: string) => (
  <>
    {ground('#fff')}
    <circle cx="14" cy="12" r="7" fill={left} />
    <circle cx="22" cy="12" r="7" fill={right} />
    <path d="M18 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z" fill={shared} />
  </>
);
