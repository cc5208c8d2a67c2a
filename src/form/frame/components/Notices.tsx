import { useComputed } from '@preact/signals';
import { useForm } from './context.ts';
import { NoticeItem } from './NoticeItem.tsx';
import { PressHintStatus } from './PressHint.tsx';

/** Notices for the buyer to read before pressing again. The form's only live region. */
export const Notices = () => {
  const { screen, isInterrupted } = useForm();
  const notices = useComputed(() =>
    screen.value.screen === 'form' ? screen.value.notices.map((notice) => <NoticeItem {...notice} />) : null,
  );
  const interrupted = useComputed(
    () => isInterrupted.value && <NoticeItem tone="info" message={{ key: 'notice.interrupted' }} />,
  );
  return (
    <div class="notices" role="status">
      {notices}
      {interrupted}
      <PressHintStatus />
    </div>
  );
};
