//! The server from the outside: real connections on loopback, the tiny games, stores in temporary folders.

mod accounts;
mod artifacts;
mod authorisation;
mod common;
mod early;
mod hidden;
mod keeping;
mod keys;
mod limits;
mod one_board;
mod openapi;
mod sockets;
mod tables;
mod together;
