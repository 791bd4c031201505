//! The server from the outside: real connections on loopback, the tiny games, stores in temporary folders.

mod accounts;
mod artifacts;
mod common;
mod hidden;
mod keeping;
mod limits;
mod openapi;
mod sockets;
mod tables;
