import { useComputed } from '@preact/signals';
import { useForm } from './context.ts';
import { Caution } from './Hint.tsx';
import { Notice } from './Notice.tsx';

/** What the buyer must know before pressing again. The form's one live region. */
export const Notices = () => {
  const { screen } = useForm();
  const notices = useComputed(() =>
    screen.value.screen === 'form' ? screen.value.notices.map((notice) => <Notice {...notice} />) : null,
  );
  return (
    <div class="notices" role="status">
      {notices}
      <Caution />
    </div>
  );
};
