import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PlaygroundModel } from './model.ts';

export const PlaygroundContext = createContext<PlaygroundModel | null>(null);

/** The page's model. */
export const usePlayground = (): PlaygroundModel => {
  const model = useContext(PlaygroundContext);
  if (model === null) throw new Error('usePlayground needs a PlaygroundContext.Provider above it');
  return model;
};
