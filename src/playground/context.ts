import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Model } from './model.ts';

export const ModelContext = createContext<Model | null>(null);

/** The page's model. */
export const useModel = (): Model => {
  const model = useContext(ModelContext);
  if (model === null) throw new Error('useModel needs a ModelContext.Provider above it');
  return model;
};
