// @vitest-environment happy-dom
import { describe } from 'vitest';
import { describeFake } from './fake.fixture.ts';
import { describeBindings } from './fake-bindings.fixture.ts';

describe('the fake form in happy-dom', describeFake);
describe('the components with the fake form in happy-dom', describeBindings);
