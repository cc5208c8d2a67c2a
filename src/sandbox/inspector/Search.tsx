import type { ComponentChildren } from 'preact';
import { Checkbox } from './Checkbox.tsx';
import { useInspector } from './context.ts';
import { isSecret } from './model.ts';

/**
 * The search field and filters of a list. `all` names the list's items in the plural, `one` a single item, `by` the
 * searched fields.
 */
export const Search = ({
  one,
  all,
  by,
  children,
}: {
  one: string;
  all: string;
  by: string;
  children: ComponentChildren;
}) => {
  const { searchText, offset } = useInspector();
  return (
    <>
      <div class="filters">
        <input
          type="search"
          aria-label={`Find ${one} by ${by}`}
          placeholder={by.replace(/^./, (first) => first.toUpperCase())}
          value={searchText.value}
          onInput={({ currentTarget }) => {
            searchText.value = currentTarget.value;
            offset.value = 0;
          }}
        />
        {children}
      </div>
      {isSecret(searchText.value) && (
        <p class="note">
          Card numbers, keys and client secrets are not searched for. The list shows all {all}.
        </p>
      )}
    </>
  );
};

export const OnlyFailed = () => {
  const { failedOnly } = useInspector();
  return (
    <Checkbox checked={failedOnly.value} set={(checked) => (failedOnly.value = checked)}>
      Only failed
    </Checkbox>
  );
};
