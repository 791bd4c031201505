//! The server from the outside: real connections on loopback, the tiny games, stores in temporary folders.

mod accounts;
mod artifacts;
mod authorisation;
mod codenames_keys;
mod common;
mod fairness;
mod hidden_coins;
mod hostile;
mod indistinguishable;
mod limits;
mod logs;
mod metrics;
mod non_interference;
mod one_board;
mod openapi;
mod prefetch;
mod probes;
mod replication;
mod retention;
mod service_limits;
mod sockets;
mod tables;
mod viewpoint;
