import { en, type MessageKey } from '../../form/i18n/en.ts';
import { parseTranslations } from '../../form/i18n/translations.ts';
import { usePlayground } from './context.ts';
import { SelectField, TextField } from './inputs.tsx';
import { namedLanguages } from './languages.ts';

/** The texts that merchants change most often. Others come from a link or are added below. */
const USUAL: readonly MessageKey[] = [
  'pay',
  'section.card',
  'section.billing',
  'field.name',
  'notice.succeeded',
];

const LANGUAGES = namedLanguages().map(({ tag, name }) => ({ value: tag, text: name }));

const isKey = (key: string): key is MessageKey => Object.hasOwn(en, key);

/** Returns the form's reason for refusing a text, or null. */
const problemOf = (key: MessageKey, text: string): string | null =>
  parseTranslations({ [key]: text }).refused[0]?.why ?? null;

/** The language, and the page's custom texts. */
export const TextControls = () => {
  const { choices, choose } = usePlayground();
  const { locale, translations } = choices.value;
  const keys = [...new Set([...USUAL, ...Object.keys(translations).filter(isKey)])];
  const set = (key: MessageKey, text: string) => {
    const { [key]: _, ...others } = translations;
    choose({ translations: text === '' ? others : { ...others, [key]: text } });
  };
  return (
    <>
      <SelectField
        label="Language"
        options={[{ value: 'auto', text: 'As the buyer’s browser' }, ...LANGUAGES]}
        value={locale}
        onChoose={(tag) => choose({ locale: tag })}
      />
      <h3>Your own words</h3>
      {keys.map((key) => (
        <TextField
          key={key}
          label={key}
          value={translations[key] ?? ''}
          placeholder={en[key]}
          problemOf={(text) => problemOf(key, text)}
          onChange={(text) => set(key, text)}
        />
      ))}
    </>
  );
};
