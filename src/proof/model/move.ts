/** A move of the model: a change of its world, and the tabs' reactions. */
import { settled } from './tabs.ts';
import { type Draft, draftFrom, type Model, type ModelWorld, type Move } from './world.ts';

export const moveOf = (
  model: Model,
  world: ModelWorld,
  label: string,
  change: (draft: Draft) => Promise<void> | void,
): Move => ({
  label,
  async make() {
    const draft = draftFrom(world);
    await change(draft);
    return settled(model, draft);
  },
});
