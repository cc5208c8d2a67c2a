import { beforeEach } from 'vitest';
import { currentArea } from './current-area.ts';

const { slowTests } = currentArea();

beforeEach(({ task, skip }) => {
  const name = [task.suite?.name, task.name].join(' ');
  if (slowTests.some((part) => name.includes(part))) skip('too slow to run once per mutant');
});
