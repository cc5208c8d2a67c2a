import { useComputed } from '@preact/signals';
import { useForm } from './context.ts';
import { Notice } from './Notice.tsx';
import { PressHintStatus } from './PressHint.tsx';

/** What the buyer should read before pressing again. The form's only live region. */
export const Notices = () => {
  const { screen, isInterrupted } = useForm();
  const notices = useComputed(() =>
    screen.value.screen === 'form' ? screen.value.notices.map((notice) => <Notice {...notice} />) : null,
  );
  const interrupted = useComputed(
    () => isInterrupted.value && <Notice tone="info" message={{ key: 'notice.interrupted' }} />,
  );
  return (
    <div class="notices" role="status">
      {notices}
      {interrupted}
      <PressHintStatus />
    </div>
  );
};
