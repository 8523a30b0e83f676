"""Play by letters, without a server: signed letters, dice that both sides make, orders under seal."""
