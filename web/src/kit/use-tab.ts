import { useSearchParams } from 'react-router-dom';

/**
 * The tab that the address names (`?tab=refunds`), else the first one, and a function that opens another. The rest of the query,
 * which is the old tab's, is removed. @param param what the address calls these tabs: tabs in a tab have a name of their own, and keep it open
 */
export const useTab = <Name extends string>(tabs: readonly { readonly name: Name }[], param = 'tab') => {
  const [params, setParams] = useSearchParams();
  const asked = params.get(param);
  const tab = tabs.find(({ name }) => name === asked) ?? tabs[0];
  if (!tab) throw new Error('There are no tabs.');
  const outer = params.get('tab');
  return [
    tab.name,
    (name: Name): void => setParams({ ...(outer && { tab: outer }), [param]: name }),
  ] as const;
};
