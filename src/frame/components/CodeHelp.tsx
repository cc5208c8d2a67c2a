import { useForm } from './context.ts';

/** Explains on demand where the security code is printed on the card. */
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

/** A card with its security code marked: beside the signature on the back, or above the number on the front. */
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
