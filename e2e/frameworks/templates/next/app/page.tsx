import Link from 'next/link';

export default async function Cart({ searchParams }: { searchParams: Promise<{ order?: string }> }) {
  const { order = '' } = await searchParams;
  return (
    <>
      <h1>Your cart</h1>
      <Link href={`/checkout?order=${order}`}>Check out</Link>
    </>
  );
}
