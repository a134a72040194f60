import { useLocation } from 'react-router-dom';
import { BarLink } from '../ui/bar.tsx';

const links = [
  { to: '/events', label: 'Events', category: null },
  { to: '/events?category=concerts', label: 'Concerts', category: 'concerts' },
  { to: '/events?category=dining', label: 'Dining', category: 'dining' },
  { to: '/events?category=nightlife', label: 'Nightlife', category: 'nightlife' },
] as const;

/** The links of the header, with the one marked that the page belongs to. */
export const NavLinks = () => {
  const { pathname, search } = useLocation();
  const category = new URLSearchParams(search).get('category');
  return links.map((link) => (
    <BarLink
      key={link.to}
      to={link.to}
      current={pathname === '/events' && category?.toLowerCase() === link.category?.toLowerCase()}
    >
      {link.label}
    </BarLink>
  ));
};
