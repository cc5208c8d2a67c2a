import { useComputed } from '@preact/signals';
import { useForm } from './context.ts';
import { Notice } from './Notice.tsx';

/** What the buyer must know before pressing again. The form's one live region. */
export const Notices = () => {
  const { screen, caution } = useForm();
  const notices = useComputed(() =>
    screen.value.screen === 'form' ? screen.value.notices.map((notice) => <Notice {...notice} />) : null,
  );
  const cautioned = useComputed(
    () => caution.value && <Notice tone="info" message={{ key: caution.value }} />,
  );
  return (
    <div class="notices" role="status">
      {notices}
      {cautioned}
    </div>
  );
};
