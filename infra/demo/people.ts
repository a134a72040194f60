import type { DemoPerson } from '#infra/identity/demo-accounts.ts';

const NAMES = `
  Amelia Okoro, Ben Whitaker, Chloe Zhang, Dafydd Morgan, Eilidh Fraser, Farah Siddiqui, Gareth Pugh,
  Hana Novák, Imran Malik, Jess Adeyemi, Kasia Łukasiewicz, Liam O’Neill, Maisie Thornton, Nikhil Shah,
  Orla Byrne, Priya Nair, Quentin Ward, Rosa Castellanos, Seán Gallagher, Tamsin Trevithick, Uche Eze,
  Victoria Blackwood, Wanda Nowak, Xanthe Pappas, Yusuf Demir, Zoë Hartley, Archie Campbell, Bronwen Rees,
  Connor Doyle, Daisy Fairweather, Ewan Sinclair, Freya Lindholm
`;

const FAVORITES = ['concerts', 'dining', 'nightlife', 'culture'];

const ascii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('Ł', 'L')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();

export const audience: readonly DemoPerson[] = NAMES.split(',').map((name, index) => {
  const [firstName = '', lastName = ''] = name.trim().split(' ');
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
