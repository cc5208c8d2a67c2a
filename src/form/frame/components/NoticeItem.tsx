import type { NoticeView } from '../view/form-view.ts';
import { useForm } from './context.ts';
import { TextElement } from './TextElement.tsx';

/** One notice for the buyer to read before pressing again. */
export const NoticeItem = ({ tone, message, text, announcement }: NoticeView) => {
  const { words } = useForm();
  return (
    <p class="notice" data-tone={tone}>
      <svg class="notice-mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <circle cx="10" cy="10" r="8.25" />
        <path d="M10 5.75v5M10 13.5v.75" />
      </svg>
      <TextElement
        aria-hidden={announcement ? 'true' : undefined}
        of={text ?? words.say(message.key, message.values)}
      />
      {announcement && <TextElement class="unseen" of={words.say(announcement.key, announcement.values)} />}
    </p>
  );
};
