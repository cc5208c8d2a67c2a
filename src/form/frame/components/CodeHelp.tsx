import { useForm } from './context.ts';
import { TextElement } from './TextElement.tsx';

/** Explains on demand where the security code is printed on the card. */
export const CodeHelp = () => {
  const { form, words } = useForm();
  const brand = form.brand.value;
  const sides =
    brand === 'amex' ? (['front'] as const) : brand ? (['back'] as const) : (['back', 'front'] as const);
  return (
    <details class="code-help">
      <summary>
        <TextElement class="unseen" of={words.say('cvc.help')} />
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" />
          <path d="M7.7 7.8a2.3 2.3 0 1 1 3.4 2c-.8.4-1.1.9-1.1 1.6M10 14v.1" />
        </svg>
      </summary>
      <div>
        <CodePicture sides={sides} />
        <p>
          {sides.map((side) => (
            <TextElement key={side} of={words.say(`cvc.help.${side}`)} />
          ))}
        </p>
      </div>
    </details>
  );
};

/**
 * A picture of the card with its security code marked: next to the signature on the back, above the number on the
 * front. If the code can be on either side, the front shows behind the back.
 */
const CodePicture = ({ sides }: { sides: readonly ('front' | 'back')[] }) => {
  const height = sides.length > 1 ? 86 : 60;
  return (
    <svg class="code-picture" viewBox={`0 0 96 ${height}`} width="96" height={height} aria-hidden="true">
      {sides.includes('front') && (
        <>
          {sides.length > 1 ? (
            <path class="card-blank" d="M1 26V7a6 6 0 0 1 6-6h82a6 6 0 0 1 6 6v19" />
          ) : (
            <>
              <rect class="card-blank" x="1" y="1" width="94" height="58" rx="6" />
              <path class="card-line" d="M10 34h14v4H10zM30 34h22v4H30zM58 34h18v4H58zM10 46h30v3H10z" />
            </>
          )}
          <path class="card-line" d="M10 9h14v10H10z" />
          <CodeAt x={60} y={7} digits={4} />
        </>
      )}
      {sides.includes('back') && (
        <g transform={`translate(0 ${height - 60})`}>
          <rect class="card-blank" x="1" y="1" width="94" height="58" rx="6" />
          <path class="card-line" d="M2 10h92v11H2zM10 30h44v11H10z" />
          <CodeAt x={58} y={28} digits={3} />
        </g>
      )}
    </svg>
  );
};

const CodeAt = ({ x, y, digits }: { x: number; y: number; digits: number }) => (
  <>
    <rect class="code-spot" x={x} y={y} width={digits * 6 + 6} height="15" rx="7.5" />
    {Array.from({ length: digits }, (_, index) => (
      <circle key={index} class="code-digit" cx={x + 6 + index * 6} cy={y + 7.5} r="1.75" />
    ))}
  </>
);
