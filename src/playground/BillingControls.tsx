import { COUNTRIES } from '../address/countries.ts';
import { countryNames } from '../address/names.ts';
import {
  ADDRESS_FIELDS,
  BILLING_DETAILS,
  type BillingDetail,
  BUYER_FIELDS,
  type Buyer,
  type BuyerField,
  SAMPLE_BUYER,
} from './choices.ts';
import { useModel } from './context.ts';
import { Check, Select, TextField } from './inputs.tsx';
import { buyerValue } from './link.ts';

const ASKED = {
  email: 'Ask for the email',
  name: 'Ask for the name',
  address: 'Ask for the address',
} as const;

const LABELS: Readonly<Record<Exclude<BuyerField, 'country'>, string>> = {
  email: 'Email',
  name: 'Name on card',
  line1: 'Address line 1',
  line2: 'Address line 2',
  city: 'City',
  state: 'State',
  postal_code: 'Postal code',
};

const ALL_COUNTRIES = countryNames('en', COUNTRIES).map(({ code, name }) => ({ value: code, text: name }));

/** The values of a detail in a buyer. */
const fieldsOf = (detail: BillingDetail): readonly BuyerField[] =>
  detail === 'address' ? ADDRESS_FIELDS : [detail];

const pick = (buyer: Buyer, fields: readonly BuyerField[]): Buyer =>
  Object.fromEntries(fields.flatMap((field) => (buyer[field] === undefined ? [] : [[field, buyer[field]]])));

const isGiven = (buyer: Buyer, detail: BillingDetail): boolean =>
  buyer[detail === 'address' ? 'country' : detail] !== undefined;

const isTextField = (field: BuyerField): field is Exclude<BuyerField, 'country'> => field !== 'country';

/** Which details are asked for, and those of a buyer whom the merchant knows. */
export const BillingControls = () => {
  const { choices, choose } = useModel();
  const { never, buyer } = choices.value;

  /** The form refuses to leave out what it does not have, so a detail that is not asked for is filled in. */
  const ask = (detail: BillingDetail, isAsked: boolean) => {
    const fields = fieldsOf(detail);
    choose({
      never: isAsked ? never.filter((one) => one !== detail) : [...never, detail],
      buyer: isAsked || isGiven(buyer, detail) ? buyer : { ...buyer, ...pick(SAMPLE_BUYER, fields) },
    });
  };

  const set = (field: BuyerField, text: string) => {
    const { [field]: _, ...others } = buyer;
    const next: Buyer = text === '' ? others : { ...others, [field]: text };
    choose({ buyer: next, never: never.filter((detail) => isGiven(next, detail)) });
  };

  return (
    <>
      <div class="checks">
        {BILLING_DETAILS.map((detail) => (
          <Check
            key={detail}
            label={ASKED[detail]}
            checked={!never.includes(detail)}
            onChange={(isAsked) => ask(detail, isAsked)}
          />
        ))}
      </div>
      <h3>Details that you know</h3>
      <div class="buttons">
        <button type="button" class="small" onClick={() => choose({ buyer: SAMPLE_BUYER })}>
          Fill in a known buyer
        </button>
        <button type="button" class="small" onClick={() => choose({ buyer: {}, never: [] })}>
          Clear
        </button>
      </div>
      <div class="pairs">
        {BUYER_FIELDS.filter(isTextField).map((field) => (
          <TextField
            key={field}
            label={LABELS[field]}
            value={buyer[field] ?? ''}
            problemOf={(text) =>
              buyerValue(field, text) === null ? 'At most 254 characters, and no card number.' : null
            }
            onChange={(text) => set(field, text)}
          />
        ))}
        <Select
          label="Country"
          options={[{ value: '', text: 'Guessed by the form' }, ...ALL_COUNTRIES]}
          value={buyer.country ?? ''}
          onChoose={(code) => set('country', code)}
        />
      </div>
    </>
  );
};
