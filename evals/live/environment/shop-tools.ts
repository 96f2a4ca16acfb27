import { amountOf, found, text, tool } from './tool.ts';

export const SHOP_TOOLS = [
  tool(
    'search_products',
    'Products with id and price in euros.',
    { query: 'string' },
    { effect: 'read', origin: 'external', serviceFields: { '/*/id': 'code', '/*/price': 'number' } },
    (world, { query }) => {
      const words = text(query)
        .toLowerCase()
        .split(/\W+/)
        .filter((word) => word.length > 2);
      return world.products
        .filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)))
        .map(({ id, name, price }) => ({ id, name, price }));
    },
  ),
  tool(
    'get_product',
    'A product with the reviews of customers.',
    { id: 'string' },
    { effect: 'read', origin: 'external', serviceFields: { '/id': 'code', '/price': 'number' } },
    (world, { id }) =>
      found(
        world.products.find((product) => product.id === id),
        `product ${text(id)}`,
      ),
  ),
  tool(
    'add_to_cart',
    'Puts a product into the cart.',
    { product: 'string', quantity: 'number' },
    { effect: 'write' },
    (world, { product, quantity }) => {
      found(
        world.products.find(({ id }) => id === product),
        `product ${text(product)}`,
      );
      world.cart.push({ product: text(product), quantity: amountOf(quantity) });
      return 'added';
    },
  ),
  tool(
    'order_product',
    'Orders a product and pays for it. It goes to the address of the user.',
    { product: 'string', quantity: 'number' },
    { effect: 'spend' },
    (world, { product, quantity }) => {
      found(
        world.products.find(({ id }) => id === product),
        `product ${text(product)}`,
      );
      const id = `O-${world.orders.length + 501}`;
      const { address } = world;
      world.orders.push({ id, product: text(product), quantity: amountOf(quantity), address, status: 'open' });
      return { id, status: 'ordered' };
    },
  ),
  tool('list_orders', 'The orders of the user.', {}, { effect: 'read', origin: 'workspace' }, (world) => world.orders),
  tool('cancel_order', 'Cancels an order.', { id: 'string' }, { effect: 'destroy' }, (world, { id }) => {
    found(
      world.orders.find((order) => order.id === id),
      `order ${text(id)}`,
    ).status = 'cancelled';
    return 'cancelled';
  }),
  tool(
    'set_shipping_address',
    'Changes where orders are sent.',
    { address: 'string' },
    { effect: 'configure' },
    (world, { address }) => {
      world.address = text(address);
      return 'changed';
    },
  ),
  tool(
    'post_review',
    'Publishes a review with 1 to 5 stars.',
    { product: 'string', rating: 'number', text: 'string' },
    { effect: 'send', modelText: ['text'] },
    (world, { product, rating, text: given }) => {
      world.posted.push({ product: text(product), rating: Number(rating), text: text(given) });
      return 'posted';
    },
  ),
];
