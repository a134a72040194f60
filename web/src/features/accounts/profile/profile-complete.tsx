import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { enhanceProfileRequest } from '#domain/contracts/profile.ts';
import { useEnhanceProfile } from '#web/features/accounts/use-profile.ts';
import { useCategories } from '#web/lib/api/catalogue.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { check, useForm } from '#web/lib/formatters/form.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { takeWayBack } from '#web/lib/way-back.ts';
import { Box, Panel } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Chip, Chips } from '#web/ui/chip.tsx';
import { Field } from '#web/ui/field.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

export const ProfileCompletePage = () => {
  const { user, isAuthenticated, isProfileComplete } = useSession();
  const [wasComplete] = useState(isProfileComplete);
  const [favourites, setFavourites] = useState<readonly string[]>([]);
  const categories = useCategories();
  const enhance = useEnhanceProfile();
  const navigate = useNavigate();
  const { field, submit } = useForm(
    { dateOfBirth: '' },
    ({ dateOfBirth }) =>
      check(enhanceProfileRequest, { dateOfBirth, preferences: { favoriteCategories: favourites } }),
    ({ dateOfBirth, preferences }) =>
      enhance.mutate(
        { dateOfBirth: `${dateOfBirth}T00:00:00.000Z`, preferences },
        {
          onSuccess: () => {
            toast({ title: 'Profile Enhanced!', description: 'Thank you. You are ready to go out.' });
            navigate(takeWayBack(), { replace: true });
          },
          onError: (error) =>
            toastError(
              'Error',
              sayFailure(error, 'The site did not answer. Please try again.', 'Failed to update profile'),
            ),
        },
      ),
  );
  useTitle('Complete your profile', useSite().siteName);
  if (!isAuthenticated || wasComplete) return <Navigate to="/" replace />;
  const toggle = (slug: string) =>
    setFavourites(
      favourites.includes(slug) ? favourites.filter((one) => one !== slug) : [...favourites, slug],
    );
  return (
    <Page width="narrow" gap="$32">
      <Box gap="$12">
        <Heading render="h1" size="poster">
          {`Welcome, ${user?.firstName ?? ''}!`}
        </Heading>
        <Text size="lead" tone="dim">
          Two things, and the doors are open.
        </Text>
      </Box>
      <Panel>
        <form onSubmit={submit} noValidate>
          <Box gap="$32">
            <Field
              label="Date of birth"
              type="date"
              autoComplete="bday"
              max={new Date().toISOString().slice(0, 10)}
              {...field('dateOfBirth')}
              hint="Some rooms have an age limit. Besides you, only those who run the site see it."
            />
            <Box gap="$12">
              <Text size="small" strong>
                Favourite categories{' '}
                <Text size="small" tone="dim">
                  (optional)
                </Text>
              </Text>
              <Chips label="Favourite categories" wrap>
                {categories.map((category) => (
                  <Chip
                    key={category.slug}
                    on={favourites.includes(category.slug)}
                    onClick={() => toggle(category.slug)}
                  >
                    <span aria-hidden="true">{category.emoji}</span> <span>{category.name}</span>
                  </Chip>
                ))}
              </Chips>
            </Box>
            <Button
              kind="primary"
              type="submit"
              size="large"
              wide
              busy={enhance.isPending}
              busyText="Saving..."
            >
              Complete my profile
            </Button>
          </Box>
        </form>
      </Panel>
    </Page>
  );
};
