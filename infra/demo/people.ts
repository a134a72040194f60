import type { Role } from '#domain/account/events.ts';
import { uuidFrom } from '#infra/ids/ids.ts';

/** The password of every demo account that can sign in. */
export const DEMO_PASSWORD = 'Encore-2026!';

/** A person of the demo, who has an account. */
export interface DemoPerson {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  /** Whether they have a password. The others only buy tickets. */
  readonly signsIn: boolean;
  readonly dateOfBirth: string;
  readonly favorites: readonly string[];
}

/** The account id of a person of the demo. It is the same on every machine. */
export const accountIdOf = ({ email }: Pick<DemoPerson, 'email'>): string => uuidFrom(`demo ${email}`);

const staff = (email: string, firstName: string, lastName: string, role: Role): DemoPerson => ({
  email,
  firstName,
  lastName,
  role,
  signsIn: true,
  dateOfBirth: '1988-04-12',
  favorites: [],
});

/** The accounts that can sign in, in the order in which the start lists them. */
export const accounts: readonly DemoPerson[] = [
  staff('superuser@reprise.test', 'Sunita', 'Rao', 'superuser'),
  staff('admin@reprise.test', 'Alun', 'Prosser', 'admin'),
  staff('staff@reprise.test', 'Morven', 'Kerr', 'staff'),
  staff('auditor@reprise.test', 'Ada', 'Lindqvist', 'auditor'),
  {
    ...staff('customer@reprise.test', 'Callum', 'Hughes', 'user'),
    dateOfBirth: '1993-09-26',
    favorites: ['concerts', 'dining'],
  },
];

const NAMES = [
  'Amelia Okoro',
  'Ben Whitaker',
  'Chloe Zhang',
  'Dafydd Morgan',
  'Eilidh Fraser',
  'Farah Siddiqui',
  'Gareth Pugh',
  'Hana Novák',
  'Imran Malik',
  'Jess Adeyemi',
  'Kasia Łukasiewicz',
  'Liam O’Neill',
  'Maisie Thornton',
  'Nikhil Shah',
  'Orla Byrne',
  'Priya Nair',
  'Quentin Ward',
  'Rosa Castellanos',
  'Seán Gallagher',
  'Tamsin Trevithick',
  'Uche Eze',
  'Victoria Blackwood',
  'Wanda Nowak',
  'Xanthe Pappas',
  'Yusuf Demir',
  'Zoë Hartley',
  'Archie Campbell',
  'Bronwen Rees',
  'Connor Doyle',
  'Daisy Fairweather',
  'Ewan Sinclair',
  'Freya Lindholm',
];

const FAVORITES = ['concerts', 'dining', 'nightlife', 'culture'];

const ascii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('Ł', 'L')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();

/** The people who buy most of the tickets. They can't sign in. */
export const audience: readonly DemoPerson[] = NAMES.map((name, index) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  return {
    email: `${ascii(firstName)}.${ascii(lastName)}@audience.test`,
    firstName,
    lastName,
    role: 'user',
    signsIn: false,
    dateOfBirth: `${1960 + ((index * 7) % 45)}-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + ((index * 5) % 28)).padStart(2, '0')}`,
    favorites: FAVORITES.filter((_, at) => (index + at) % 3 !== 0),
  };
});
