// @vitest-environment jsdom
import { describe } from 'vitest';
import { describeFake } from './fake.fixture.ts';
import { describeBindings } from './fake-bindings.fixture.ts';

describe('the fake form in jsdom', describeFake);
describe('the components with the fake form in jsdom', describeBindings);
