import { useSearchParams } from 'react-router-dom';

/** The tab that the address names (`?tab=refunds`), else the first one, and a function that opens another. The rest of the query,
 * which is the old tab's, is removed. */
export const useTab = <Name extends string>(tabs: readonly { readonly name: Name }[]) => {
  const [params, setParams] = useSearchParams();
  const asked = params.get('tab');
  const tab = tabs.find(({ name }) => name === asked) ?? tabs[0];
  if (!tab) throw new Error('There are no tabs.');
  return [tab.name, (name: Name): void => setParams({ tab: name })] as const;
};
