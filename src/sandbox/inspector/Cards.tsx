import { TEST_CARDS } from '../../form/card/test-cards.ts';
import { CopyButton } from './CopyButton.tsx';
import { formatCardNumber } from './format.ts';

/** The sandbox's test card numbers, each with a button that copies it. */
export const Cards = () => (
  <>
    <div class="section-head">
      <h2>Test cards</h2>
      <p class="note">
        Click a number to copy it. Use any future expiry date and any security code of the right length. Every
        other number, real cards included, is declined.
      </p>
    </div>
    <div class="columns wide">
      {TEST_CARDS.map(({ title, cards }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <ul class="numbers">
            {cards.map(({ number, outcome }) => (
              <li key={number}>
                <CopyButton text={number} what={formatCardNumber(number)} label={formatCardNumber(number)} />
                <span>{outcome}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </>
);
