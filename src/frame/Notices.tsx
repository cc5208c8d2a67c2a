import { useComputed } from '@preact/signals';
import { useForm } from './context.ts';

/** What the buyer must know before pressing again. The form's one live region. */
export const Notices = () => {
  const { screen, desk, caution } = useForm();
  const notices = useComputed(() => {
    const Notice = desk.value?.parts.Notice;
    if (!Notice || screen.value.screen !== 'form') return null;
    return screen.value.notices.map((notice) => <Notice {...notice} />);
  });
  const cautioned = useComputed(() => {
    const Notice = desk.value?.parts.Notice;
    return Notice && caution.value && <Notice tone="info" message={{ key: caution.value }} />;
  });
  return (
    <div class="notices" role="status">
      {notices}
      {cautioned}
    </div>
  );
};
